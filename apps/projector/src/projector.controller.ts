// Takes the partitions that become this process's to fold.
import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import type { Role, Served } from '#event-log';
import type { PartitionToServe } from '#serving';
import { Projector } from './projector.ts';

@Controller()
export class ProjectorController {
  constructor(private readonly projector: Projector) {}

  @MessagePattern('projector' satisfies Role)
  serve(@Payload() { partition, signal }: PartitionToServe): Promise<Served> {
    return this.projector.serve(partition, signal);
  }
}
