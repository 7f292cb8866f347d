// Where the gateway's own address is the deployment's to say.
import { Global, Module } from '@nestjs/common';
import { CONFIG } from '#runtime';
import { GatewayRig } from '#testing';
import { IntakeModule } from '../intake.module.ts';

const config = { provide: CONFIG, useValue: { publicUrl: 'https://watcher.example' } };

@Global()
@Module({ providers: [config], exports: [config] })
class PublicModule {}

describe('a gateway whose address is configured', () => {
  let rig: GatewayRig;

  beforeAll(async () => {
    rig = await GatewayRig.start([PublicModule, IntakeModule]);
  });

  afterAll(() => rig.close());

  it('serves a card that anybody may be given, whatever host the request names', async () => {
    const answer = await fetch(`${rig.base}.well-known/agent-card.json`);
    expect(answer.headers.get('cache-control')).toMatch(/^public, max-age=\d+$/);
    expect(await answer.json()).toMatchObject({
      supportedInterfaces: [{ url: 'https://watcher.example/a2a/acme/booking/jsonrpc/1.0' }],
    });
  });
});
