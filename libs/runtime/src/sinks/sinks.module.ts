// Gives the sinks' directory to whoever sets sinks or sends to them.
// `EDGE_DATABASE`, `CLOCK` and `CREDENTIAL_SEAL` come from a global module of the composition root.
import { Module } from '@nestjs/common';
import { SinkDirectory } from './sink-directory.ts';

@Module({ providers: [SinkDirectory], exports: [SinkDirectory] })
export class SinksModule {}
