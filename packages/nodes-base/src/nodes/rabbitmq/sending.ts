import type { AMQPChannel } from '@cloudamqp/amqp-client/amqp-channel';
import type { AMQPProperties } from '@cloudamqp/amqp-client/amqp-properties';
import type { ExecuteContext } from '@sluice/node-sdk';
import { choiceParameter, requiredText, textParameter } from '../../shared/parameters.ts';
import { flag, named, shortText } from './protocol-values.ts';

/** Destination and options of an item's message. */
export interface Sending {
  exchange: string;
  routingKey: string;
  properties: AMQPProperties;
  /** Declares the queue or exchange. */
  declare(channel: AMQPChannel): Promise<unknown>;
  /** Key that identifies the declaration. */
  declaration: string;
}

const exchangeTypes = ['direct', 'topic', 'headers', 'fanout'] as const;

/**
 * Reads an item's parameters. Throws a `NodeOperationError` for values for which a broker would
 * close the connection.
 */
export function sendingOf(context: ExecuteContext, itemIndex: number): Sending {
  const mode = choiceParameter(context, 'mode', itemIndex, ['queue', 'exchange'], 'queue');
  const durable = flag(context, 'durable', itemIndex, true);
  const properties = { ...headersOf(context, itemIndex), deliveryMode: durable ? 2 : 1 };
  return { ...(mode === 'queue' ? toQueue : toExchange)(context, itemIndex, durable), properties };
}

type Target = Omit<Sending, 'properties'>;

function toQueue(context: ExecuteContext, itemIndex: number, durable: boolean): Target {
  const queue = shortText('queue', itemIndex, requiredText(context, 'queue', itemIndex));
  const passive = !flag(context, 'assertQueue', itemIndex, true);
  const autoDelete = flag(context, 'autoDelete', itemIndex, false);
  const params = { passive, durable, autoDelete, exclusive: flag(context, 'exclusive', itemIndex, false) };
  const args = named(context, 'options.arguments.argument', itemIndex);
  return {
    exchange: '',
    routingKey: queue,
    declare: (channel) => channel.queueDeclare(queue, params, args),
    declaration: nameOf(queue, params, args),
  };
}

function toExchange(context: ExecuteContext, itemIndex: number, durable: boolean): Target {
  const exchange = shortText('exchange', itemIndex, requiredText(context, 'exchange', itemIndex));
  const routingKey = shortText('routingKey', itemIndex, textParameter(context, 'routingKey', itemIndex));
  const type = choiceParameter(context, 'exchangeType', itemIndex, exchangeTypes, 'fanout');
  const passive = !flag(context, 'assertExchange', itemIndex, true);
  const params = { passive, durable, autoDelete: flag(context, 'autoDelete', itemIndex, false) };
  const alternate = textParameter(context, 'options.alternateExchange', itemIndex);
  const args = {
    ...named(context, 'options.arguments.argument', itemIndex),
    ...(alternate && { 'alternate-exchange': alternate }),
  };
  return {
    exchange,
    routingKey,
    declare: (channel) => channel.exchangeDeclare(exchange, type, params, args),
    declaration: nameOf(exchange, type, params, args),
  };
}

function nameOf(...parts: unknown[]): string {
  return JSON.stringify(parts, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value));
}

function headersOf(context: ExecuteContext, itemIndex: number): AMQPProperties {
  const headers = named(context, 'options.headers.header', itemIndex);
  return Object.keys(headers).length === 0 ? {} : { headers };
}
