// Takes the partitions that become this process's to decide.
import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import type { Role, Served } from '#event-log';
import type { PartitionToServe } from '#serving';
import { Timekeeper } from './timekeeper.ts';

@Controller()
export class TimekeeperController {
  constructor(private readonly timekeeper: Timekeeper) {}

  @MessagePattern('timekeeper' satisfies Role)
  serve(@Payload() { partition, signal }: PartitionToServe): Promise<Served> {
    return this.timekeeper.serve(partition, signal);
  }
}
