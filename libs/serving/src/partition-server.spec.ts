// A role's partitions through Nest: handed to the controller of the role, let go of when the application closes.
import { Controller, Module } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { Test } from '@nestjs/testing';
import { type Role, SoleShare, type Served } from '#event-log';
import { PinoLogger } from '#runtime';
import { TestShare } from '#testing';
import { Memberships } from './memberships.ts';
import { PartitionServer, type PartitionToServe } from './partition-server.ts';
import { untilAborted } from './until-aborted.ts';

const told: string[] = [];
let answer: (call: PartitionToServe) => Promise<Served>;
beforeEach(() => {
  told.splice(0);
  answer = async ({ partition, signal }) => {
    told.push(`serves ${partition}`);
    await untilAborted(signal);
    told.push(`lets go of ${partition}`);
    return 'left';
  };
});

@Controller()
class ExampleController {
  @MessagePattern('projector' satisfies Role)
  serve(@Payload() call: PartitionToServe): Promise<Served> {
    return answer(call);
  }
}

@Module({ controllers: [ExampleController] })
class ExampleModule {}

async function application(strategy: PartitionServer) {
  const made = await Test.createTestingModule({ imports: [ExampleModule] })
    .setLogger(new PinoLogger('fatal'))
    .compile();
  return made.createNestMicroservice({ strategy });
}

it('serves what comes and lets go of it when Nest closes, before that has resolved', async () => {
  const memberships = new Memberships();
  const app = await application(new PartitionServer('projector', new SoleShare(2, () => undefined), memberships));
  expect(memberships.partitionsOf('projector')).toBeUndefined();
  await app.listen();
  expect(memberships.partitionsOf('projector')).toEqual([0, 1]);
  await app.close();
  expect(told).toEqual(['serves 0', 'serves 1', 'lets go of 0', 'lets go of 1']);
});

it('tells the share how serving has ended', async () => {
  const share = new TestShare([]);
  const app = await application(new PartitionServer('projector', share, new Memberships()));
  await app.listen();
  answer = () => Promise.resolve('fenced');
  expect(await share.give(3)).toBe('fenced');
  await app.close();
});

it('says nothing of its partitions before it is settled which they are', async () => {
  const [memberships, share] = [new Memberships(), new TestShare()];
  const app = await application(new PartitionServer('projector', share, memberships));
  await app.listen();
  expect(memberships.partitionsOf('projector')).toBeUndefined();
  share.settle([]);
  expect(memberships.partitionsOf('projector')).toEqual([]);
  await app.close();
});

it('does not start without a controller of its role', async () => {
  const app = await application(
    new PartitionServer('timekeeper', new SoleShare(1, () => undefined), new Memberships()),
  );
  await expect(app.listen()).rejects.toThrow('a controller must have the pattern "timekeeper"');
});
