import {
  type ExecuteContext,
  type Item,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  NodeOperationError,
  type NodeType,
  stringifyJson,
} from '@sluice/node-sdk';
import { openAmqp } from '../../clients/amqp-client.ts';
import { parseFieldPath, readField } from '../../shared/field-path.ts';
import { booleanParameter, objectParameter, requiredText, textParameter } from '../../shared/parameters.ts';
import { number, options, text, toggle } from '../../shared/properties.ts';
import { mapWithClient } from '../../shared/with-client.ts';

/**
 * Sends a message for each item to a queue or topic over one connection per run, and waits for the
 * broker to accept it.
 */
export const amqp: NodeType = {
  description: {
    displayName: 'AMQP Sender',
    name: 'amqp',
    group: ['transform'],
    version: 1,
    description: 'Sends messages to AMQP 1.0 brokers',
    defaults: { name: 'AMQP Sender' },
    inputs: ['main'],
    outputs: ['main'],
    credentials: [{ name: 'amqp', required: true }],
    properties: [
      text('sink', 'Queue / Topic', 'Address at the broker', { required: true }),
      {
        displayName: 'Headers',
        name: 'headerParametersJson',
        type: 'json',
        default: '',
        description: 'Application properties, as a JSON object of strings, numbers and booleans',
      },
      options([
        text('containerId', 'Container ID', 'Container ID of the client; from the first item'),
        toggle('dataAsObject', 'Data as Object', 'Whether to send data as an AMQP map or list instead of JSON text'),
        toggle('reconnect', 'Reconnect', 'Has no effect: a run whose connection is lost fails and can be retried', {
          default: true,
        }),
        number('reconnectLimit', 'Reconnect Limit', 50, 'Has no effect, like `reconnect`'),
        text('sendOnlyProperty', 'Send Property', 'The only field to send; empty: the whole item'),
      ]),
    ],
    icon: 'fa:paper-plane',
    iconColor: 'blue',
    subtitle: '={{ $parameter["sink"] }}',
  },
  async execute(context) {
    const items = await mapWithClient(context, {
      service: 'AMQP',
      open: async () => {
        const containerId = textParameter(context, 'options.containerId', 0);
        return openAmqp(await context.credentials('amqp', 0), context, context.signal, containerId);
      },
      step: async (client, item, itemIndex) => {
        const message = {
          application_properties: applicationProperties(context, itemIndex),
          body: await bodyOf(context, item, itemIndex),
        };
        const id = await client.send(requiredText(context, 'sink', itemIndex), message);
        return { json: { id }, pairedItem: { item: itemIndex } };
      },
      close: (client) => client.close(),
    });
    return [items];
  },
};

/** Application properties: the protocol allows only simple values here. */
function applicationProperties(context: ExecuteContext, itemIndex: number): JsonObject {
  const isEmpty = isBlank(context.parameter<JsonValue>('headerParametersJson', itemIndex, ''));
  const properties = isEmpty ? {} : objectParameter(context, 'headerParametersJson', itemIndex);
  for (const [name, value] of Object.entries(properties)) {
    if (!isJsonObject(value) && !Array.isArray(value)) continue;
    throw new NodeOperationError(`the header "${name}" must be a string, a number or a boolean`, {
      itemIndex,
      description: 'Use text; JSON.stringify converts objects',
    });
  }
  return properties;
}

function isBlank(value: JsonValue): boolean {
  return value === null || (typeof value === 'string' && value.trim() === '');
}

async function bodyOf(context: ExecuteContext, { json }: Item, itemIndex: number): Promise<JsonValue> {
  const property = textParameter(context, 'options.sendOnlyProperty', itemIndex);
  const data = property === '' ? json : readField(json, parseFieldPath(property, true));
  if (data === undefined)
    throw new NodeOperationError(`the item has no field "${property}"`, {
      itemIndex,
      description: 'Check the field name and the node’s input',
    });
  return booleanParameter(context, 'options.dataAsObject', itemIndex, false)
    ? data
    : stringifyJson(data, { signal: context.signal });
}
