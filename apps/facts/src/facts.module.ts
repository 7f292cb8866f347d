// Facts: whoever may report what happened does it here, over HTTP or in a topic of its own, and what was not believed waits
// for an operator. Needs `EdgeModule` and the global ports; `FEEDS` may be absent.
import { Module } from '@nestjs/common';
import { WritesModule } from '#writes';
import { FactsController } from './facts.controller.ts';
import { FeedMetrics } from './feeds/feed-metrics.ts';
import { FeedReader } from './feeds/feed-reader.ts';
import { FeedReporting } from './feeds/feed-reporting.ts';
import { Operating } from './quarantine/operating.ts';
import { QuarantineController } from './quarantine/quarantine.controller.ts';
import { Reporting } from './reporting.ts';

export { FeedMetrics, type FeedLag } from './feeds/feed-metrics.ts';

@Module({
  imports: [WritesModule],
  controllers: [FactsController, QuarantineController],
  providers: [Reporting, Operating, FeedMetrics, FeedReporting, FeedReader],
  exports: [FeedMetrics],
})
export class FactsModule {}
