import type { Socket } from 'node:net';
import { errorMessage, type Item, isJsonObject, type JsonValue, type ListenContext, type NodeType } from '@sluice/node-sdk';
import type { Client, Notification } from 'pg';
import { openPostgres } from '../../clients/postgres-client.ts';
import { connectionFailed } from '../../shared/connection-failed.ts';
import { closedByServer } from '../../shared/listening/closed-by-server.ts';
import { EventQueue } from '../../shared/listening/event-queue.ts';
import { meterMessages } from '../../shared/listening/meter-messages.ts';
import { oneByOne } from '../../shared/listening/one-by-one.ts';
import { settledWithin } from '../../shared/listening/settled-within.ts';
import { whileOpening } from '../../shared/listening/while-opening.ts';
import { booleanParameter, choiceParameter, type ParameterSource, textParameter } from '../../shared/parameters.ts';
import { parsedOrText } from '../../shared/parsed-or-text.ts';
import { wholeNumber } from '../../shared/whole-number.ts';
import { postgresTriggerProperties } from './postgres-trigger-properties.ts';
import { createTrigger, dropTrigger, nameFor, requireName, type TriggerObjects } from './trigger-objects.ts';

/**
 * Timeout for dropping the objects, in milliseconds; this may have to wait for other drops on the
 * same table and for user statements.
 */
const dropMs = 5_000;

/** Starts with each notification on a channel, or each row change. */
export const postgresTrigger: NodeType = {
  description: {
    displayName: 'Postgres Trigger',
    name: 'postgres-trigger',
    group: ['trigger'],
    version: 1,
    description:
      'Starts the workflow when rows of a Postgres table change, or a channel is notified. Postgres stores no notifications: events while no worker listens, such as during a takeover, are lost',
    defaults: { name: 'Postgres Trigger' },
    inputs: [],
    outputs: ['main'],
    credentials: [{ name: 'postgres', required: true }],
    properties: postgresTriggerProperties,
    icon: 'fa:database',
    iconColor: 'blue',
    subtitle: '={{ $parameter["triggerMode"] }}',
  },
  execute: (context) => [[...context.items()]],
  async trigger(context) {
    const objects = objectsOf(context);
    const channel = objects?.channel ?? requireName('channelName', textParameter(context, 'channelName', 0));
    const timeoutMs = wholeNumber(context, 'options.connectionTimeout', 30, { from: 1, to: 60 }) * 1_000;
    const client = await whileOpening(context.signal, async (signal) =>
      openPostgres(await context.credentials('postgres', 0), context, signal, timeoutMs),
    ).catch((error: unknown) => Promise.reject(connectionFailed(error, 'Postgres')));
    const queue = new EventQueue(context);
    const toItems = oneByOne(itemsOf);
    const onEnd = () => context.failed(closedByServer());
    const { stream } = client.connection as Client['connection'] & { stream: Socket };
    const budget = meterMessages(stream, context);
    client.on('notification', (notification) => {
      budget.refill();
      queue.push(toItems(notification), notification.payload?.length ?? 0);
    });
    client.once('end', onEnd);
    try {
      await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
      const mark = objects && (await createTrigger(client, objects, ownerOf(context)));
      return {
        async close() {
          client.off('end', onEnd);
          await queue.drained();
          if (objects && mark) await settledWithin(dropping(context, client, objects, mark), dropMs);
          await settledWithin(client.end(), 200);
        },
      };
    } catch (error) {
      client.off('end', onEnd);
      await settledWithin(client.end(), 200);
      throw connectionFailed(error, 'Postgres');
    }
  },
};

function ownerOf({ workflow, node }: ListenContext): string {
  return `${workflow.id} ${node.id ?? node.name}`;
}

/** Objects to create; `undefined` if the node only listens to a channel. */
function objectsOf(context: ListenContext): TriggerObjects | undefined {
  const mode = choiceParameter(context, 'triggerMode', 0, ['createTrigger', 'listenTrigger'], 'createTrigger');
  if (mode === 'listenTrigger') return undefined;
  const owner = ownerOf(context);
  const named = (field: string, kind: string) =>
    requireName(field, textParameter(context, `additionalFields.${field}`, 0).trim() || nameFor(kind, owner));
  return {
    schema: requireName('schema', located(context, 'schema') || 'public'),
    table: requireName('tableName', located(context, 'tableName')),
    event: choiceParameter(context, 'firesOn', 0, ['INSERT', 'UPDATE', 'DELETE'], 'INSERT'),
    functionName: requireName('functionName', named('functionName', 'function').replace(/\(\)$/, '')),
    triggerName: named('triggerName', 'trigger'),
    channel: named('channelName', 'channel'),
    replace: booleanParameter(context, 'additionalFields.replaceIfExists', 0, false),
  };
}

/** A name, or a resource locator that contains a name. */
function located(context: ParameterSource, path: string): string {
  const value = context.parameter<JsonValue>(path, 0);
  return isJsonObject(value) ? textParameter(context, `${path}.value`, 0).trim() : textParameter(context, path, 0).trim();
}

async function itemsOf({ processId, channel, payload = '' }: Notification): Promise<Item[]> {
  return [{ json: { processId, channel, payload: await parsedOrText(payload) } }];
}

async function dropping(context: ListenContext, client: Client, objects: TriggerObjects, mark: string): Promise<void> {
  try {
    await dropTrigger(client, objects, mark);
  } catch (error) {
    context.logger.warn({ reason: errorMessage(error) }, 'the trigger in the database was not dropped');
  }
}
