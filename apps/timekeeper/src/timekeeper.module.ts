// The timekeeper. `EVENT_LOG`, `CLOCK`, `DEPLOYMENT` and `ON_FATAL` come from a global module of the composition root.
import { Module } from '@nestjs/common';
import { Timekeeper } from './timekeeper.ts';

export { DEPLOYMENT, ON_FATAL, Timekeeper } from './timekeeper.ts';

@Module({ providers: [Timekeeper], exports: [Timekeeper] })
export class TimekeeperModule {}
