import { NodeOperationError } from '@sluice/node-sdk';
import type { MqttQos } from '../../clients/mqtt-client.ts';

const maxTopics = 1_000;

/** Maximum topic length in the protocol, in bytes. */
const maxTopicBytes = 65_535;

/**
 * Parses comma-separated topics, each with an optional quality of service: `a/+, b/#:2`. It follows
 * the last colon; the default is 0. Throws `NodeOperationError` for topics that no broker would
 * accept.
 */
export function mqttTopics(names: readonly string[]): Map<string, MqttQos> {
  if (names.length === 0 || names.length > maxTopics) {
    throw new NodeOperationError(`the parameter "topics" must name between one and ${maxTopics} topics`, {
      description: 'Separate topics by commas; a wildcard (+, #) covers many',
    });
  }
  return new Map(names.map(topicOf));
}

function topicOf(text: string): [topic: string, qos: MqttQos] {
  const { topic = '', qos = '0' } = /^(?<topic>.*?)(?::(?<qos>\d+))?$/s.exec(text)?.groups ?? {};
  if (!isTopicFilter(topic)) {
    const description = 'A wildcard stands alone between slashes, # at the end only: a/+/b, a/#';
    throw new NodeOperationError(`the topic ${JSON.stringify(topic.slice(0, 100))} is not valid`, { description });
  }
  if (!['0', '1', '2'].includes(qos))
    throw new NodeOperationError(`the quality of service of "${topic}" must be 0, 1 or 2`, {
      description: 'Write it after the topic, such as sensors/#:1',
    });
  return [topic, Number(qos) as MqttQos];
}

function isTopicFilter(topic: string): boolean {
  if (topic === '' || topic.includes('\0') || Buffer.byteLength(topic) > maxTopicBytes) return false;
  const levels = topic.split('/');
  return levels.every((level, index) => {
    if (level === '#') return index === levels.length - 1;
    return level === '+' || !/[+#]/.test(level);
  });
}
