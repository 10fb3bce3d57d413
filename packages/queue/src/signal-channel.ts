import { GroupCommit } from '@sluice/domain';
import type { SealedPublisher, SealedSubscriber } from './sealed-messages.ts';

export type SignalName = 'cancel' | 'ended' | 'responded' | 'watch' | 'access';

interface Signal {
  ids: readonly string[];
  /** A line of the message. */
  data?: string;
}

/**
 * Sends ids to other processes. Ids of executions: `cancel` (check whether these still run),
 * `ended` (these ended or wait now), `responded` (these have a response for the request that
 * started them), `watch` (a client follows these; repeated every few seconds). Ids of users:
 * `access` (drop the cached permissions).
 *
 * A message may be lost. Signals only reduce delays: workers check at each lease renewal, waiting
 * requests at their timeout, followers every second, and the API asks the database every 400
 * milliseconds for changed permissions.
 *
 * A message is a line of ids, then a line `<id> <JSON>` for each id whose message includes the data
 * that the receiver would otherwise read.
 */
export class SignalChannel {
  readonly #name: string;
  readonly #messages: GroupCommit<Signal>;

  constructor(publisher: SealedPublisher, prefix: string, signal: SignalName) {
    this.#name = signalChannel(prefix, signal);
    this.#messages = new GroupCommit((signals) => publisher.publish(this.#name, toMessage(signals)), { atOnce: true });
  }

  /**
   * Sends a message at once, or one message for all ids that are published while another is in
   * flight. Throws `UnavailableError` while Redis is unreachable.
   */
  async publish(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.#messages.add({ ids });
  }

  /**
   * Like `publish`, with data about the execution: JSON on one line, which must be small because
   * every process receives it.
   */
  async publishWith(id: string, json: string): Promise<void> {
    await this.#messages.add({ ids: [id], data: `${id} ${json}` });
  }
}

/** Calls `onIds` for each message from now on. */
export function subscribeSignal(
  subscriber: SealedSubscriber,
  { prefix, signal }: { prefix: string; signal: SignalName },
  onIds: (ids: string[], data: ReadonlyMap<string, string>) => void,
): void {
  void subscriber.listen(signalChannel(prefix, signal), (text) => {
    const [ids = '', ...lines] = text.split('\n');
    onIds(ids.split(' '), new Map(lines.map(toEntry)));
  });
}

function signalChannel(prefix: string, signal: SignalName): string {
  return `${prefix}:${signal}`;
}

function toMessage(signals: readonly Signal[]): string {
  const ids = signals.flatMap((signal) => signal.ids).join(' ');
  return [ids, ...signals.flatMap(({ data }) => data ?? [])].join('\n');
}

function toEntry(line: string): [string, string] {
  const end = line.indexOf(' ');
  return [line.slice(0, end), line.slice(end + 1)];
}
