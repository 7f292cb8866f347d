// Takes the partitions whose tasks become this process's to follow.
import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import type { Role, Served } from '#event-log';
import type { PartitionToServe } from '#serving';
import { Follower } from './follower.ts';

@Controller()
export class FollowerController {
  constructor(private readonly follower: Follower) {}

  @MessagePattern('follower' satisfies Role)
  serve(@Payload() { partition, signal }: PartitionToServe): Promise<Served> {
    return this.follower.serve(partition, signal);
  }
}
