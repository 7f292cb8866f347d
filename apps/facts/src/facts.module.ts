// Facts: whoever may report what happened does it here, and what was not believed waits for an operator.
// Needs `EdgeModule` and the global ports.
import { Module } from '@nestjs/common';
import { WritesModule } from '#writes';
import { FactsController } from './facts.controller.ts';
import { Operating } from './quarantine/operating.ts';
import { FeedMetrics } from './feed-metrics.ts';
import { QuarantineController } from './quarantine/quarantine.controller.ts';
import { Reporting } from './reporting.ts';

export { FeedMetrics, type FeedLag } from './feed-metrics.ts';

@Module({
  imports: [WritesModule],
  controllers: [FactsController, QuarantineController],
  providers: [Reporting, Operating, FeedMetrics],
  exports: [FeedMetrics],
})
export class FactsModule {}
