// The page: files as they are, no build step, nothing from elsewhere. It reads through the same API as everybody.
import { Module } from '@nestjs/common';
import { WebController } from './web.controller.ts';

@Module({ controllers: [WebController] })
export class WebModule {}
