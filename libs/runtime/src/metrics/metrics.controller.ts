// `GET /metrics`, without a key: numbers of the process, and never anything of a tenant.
import { Controller, Get, Header, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Public } from '../public.ts';
import { MetricsText } from './metrics-text.ts';

@Controller('metrics')
@Public()
export class MetricsController {
  constructor(private readonly text: MetricsText) {}

  @Get()
  @Header('cache-control', 'no-store')
  async metrics(@Res({ passthrough: true }) response: Response): Promise<string> {
    const text = await this.text.read();
    response.setHeader('content-type', this.text.contentType);
    return text;
  }
}
