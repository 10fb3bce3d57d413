import { afterAll, beforeEach, expect, test } from '@jest/globals';
import {
  Access,
  type DueDelivery,
  EventDeliveryRepository,
  EventOutboxRepository,
  EventSubscriptionRepository,
} from '@sluice/db';
import { randomId } from '@sluice/domain';
import { testDatabase } from '@sluice/test-support';
import { aStoredWorkflow } from './a-workflow.ts';

const all = new Access('all');
const sealed = {
  version: 1,
  keyId: 'k',
  wrappedDek: Buffer.of(1),
  iv: Buffer.of(1),
  ciphertext: Buffer.of(1),
  tag: Buffer.of(1),
};

let id: string;

const database = await testDatabase();
const { kysely } = database.db;
const subscriptions = new EventSubscriptionRepository(kysely);
const deliveries = new EventDeliveryRepository(kysely);
const outbox = new EventOutboxRepository(database.db);
beforeEach(async () => {
  const { projectId } = await aStoredWorkflow(database.db);
  id = randomId();
  const subscription = { name: 'a subscription', url: 'https://old.example', events: [], waitingAfterSeconds: 60 };
  await subscriptions.create({ id, projectId, active: true, sealed, ...subscription }, all);
  await deliveries.createTest(await subscriptions.get(id, all));
});
afterAll(() => database.drop());

const takeOne = async () => (await outbox.take()).find(({ subscriptionId }) => subscriptionId === id) as DueDelivery;
const gone = (delivery: DueDelivery) =>
  outbox.settle(
    delivery,
    { at: new Date().toISOString(), durationMs: 1, status: 410, error: 'gone' },
    { status: 'failed', disable: 'gone' },
  );
const isActive = async () => (await subscriptions.get(id, all)).active;

test('the subscription of a receiver that responds 410 is disabled', async () => {
  await gone(await takeOne());
  expect(await isActive()).toBe(false);
});

test('a 410 does not disable the subscription if its URL has changed since the attempt', async () => {
  const delivery = await takeOne();
  await subscriptions.update(id, all, { url: 'https://new.example' });
  await gone(delivery);
  expect(await isActive()).toBe(true);
});

test('the response to a delivery that has since been replayed does not disable its subscription', async () => {
  const delivery = await takeOne();
  await deliveries.replay(id, delivery.id);
  await gone(delivery);
  expect(await isActive()).toBe(true);
});
