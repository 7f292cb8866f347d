// Takes the partitions that become this process's to dispatch.
import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import type { Role, Served } from '#event-log';
import type { PartitionToServe } from '#serving';
import { Dispatcher } from './dispatcher.ts';

@Controller()
export class DispatcherController {
  constructor(private readonly dispatcher: Dispatcher) {}

  @MessagePattern('dispatcher' satisfies Role)
  serve(@Payload() { partition, signal }: PartitionToServe): Promise<Served> {
    return this.dispatcher.serve(partition, signal);
  }
}
