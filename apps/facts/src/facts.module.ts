// Facts: whoever may report what happened does it here. Needs `EdgeModule` and the global ports.
import { Module } from '@nestjs/common';
import { WritesModule } from '#writes';
import { FactsController } from './facts.controller.ts';
import { Reporting } from './reporting.ts';

@Module({ imports: [WritesModule], controllers: [FactsController], providers: [Reporting] })
export class FactsModule {}
