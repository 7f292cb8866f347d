// Gives `Sightings` to whoever sees agents' work for the watcher.
import { Module } from '@nestjs/common';
import { WritesModule } from '#writes';
import { Sightings } from './sightings.ts';

@Module({ imports: [WritesModule], providers: [Sightings], exports: [Sightings] })
export class SightingsModule {}
