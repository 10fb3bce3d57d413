import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import type {
  Embedding,
  ExecuteContext,
  HttpClient,
  HttpResponse,
  HttpStreamedResponse,
  LanguageModel,
  MethodContext,
  NodeType,
  Reranker,
  Tool,
} from '@sluice/node-sdk';
import { noNetwork } from '@sluice/node-sdk/testing';
import { fakeContext } from '@sluice/nodes-base/testing';
import { attackShare, leastWithin, longestBusy } from '@sluice/test-support';
import { loadAiNodeTypes } from './ai-node-types.ts';
import { type Answer, answersOf, credential, notAttacked } from './testing/adversarial-cases.ts';

/** Maximum CPU time, in milliseconds, that may block the event loop. */
const maxStallMs = 250;

const all = await loadAiNodeTypes();
const attacked = all.filter(({ description }) => !(description.name in notAttacked));
const named = (types: readonly NodeType[]) => types.map((type) => [type.description.name, type] as const);
/** Parameters of nodes that call a provider themselves. */
const mainParameters = { modelId: 'm', messages: { values: [{ content: 'a' }] } };
/** The newest version of a node that calls a provider itself may use another API. */
const versionsOf = ({ description: { version, outputs } }: NodeType): number[] => {
  const versions = [version].flat();
  const newest = [outputs].flat()[0] === 'main' ? [Math.max(...versions)] : [];
  return [...new Set([Math.min(...versions), ...newest])];
};
const question = { messages: [{ role: 'user', content: 'hi' }] } as const;

test('every other type supplies a model, an embedding, a reranker, or a tool, or calls a provider itself', () => {
  expect(Object.keys(notAttacked).filter((name) => !all.some(({ description }) => description.name === name))).toEqual([]);
  const outputs = attacked.map(({ description }) => [description.outputs].flat()[0]);
  expect([...new Set(outputs)].sort()).toEqual(['ai_embedding', 'ai_languageModel', 'ai_reranker', 'ai_tool', 'main']);
});

const attacks = attacked
  .flatMap((type) => versionsOf(type).map((version) => ({ name: type.description.name, version, type })))
  .map((attack, index) => ({ ...attack, answers: attackShare(answersOf(attack.type), index) }));
describe.each(attacks)('$name $version', ({ version: typeVersion, type, answers }) => {
  test.each(answers)('an answer of $name never blocks the event loop', async (answer) => {
    const body = answer.body();
    const stallOnce = () => {
      const signal = AbortSignal.timeout(1_000);
      const context = fakeContext({
        http: clientOf(answer, body, signal),
        credentials: Object.fromEntries((type.description.credentials ?? []).map(({ name }) => [name, credential])),
        parameters: { model: 'm', modelName: 'm', options: { maxRetries: 0 }, ...mainParameters },
        typeVersion,
        signal,
      });
      return longestBusy(() => use(type, context, answer).catch(assertReached));
    };
    expect(await leastWithin(maxStallMs, stallOnce)).toBeLessThan(maxStallMs);
  });
});

const listing = all.filter(({ methods }) => methods?.loadOptions);
describe.each(named(attackShare(listing, 0)))('the lists of %s', (_, type) => {
  test('a hostile list never blocks the event loop', async () => {
    const body = `{"data":[${'{"id":"a"},'.repeat(700_000)}{"id":"b"}]}`;
    const context = fakeContext({
      http: clientOf({ isStream: false }, body),
      credentials: Object.fromEntries((type.description.credentials ?? []).map(({ name }) => [name, credential])),
    });
    const method = Object.values(type.methods?.loadOptions ?? {})[0];
    const access = {
      ...context,
      credentials: (name: string) => context.credentials(name, 0),
      authentication: (name: string) => context.authentication(name, 0),
    } as unknown as MethodContext;
    expect(await longestBusy(() => method?.(access))).toBeLessThan(maxStallMs);
  });
});

async function use(type: NodeType, context: ExecuteContext, { isStream }: Answer): Promise<void> {
  if (type.execute && [type.description.outputs].flat()[0] === 'main') {
    await type.execute({ ...context, connected: async () => [] });
    return;
  }
  const supplied = (await type.supply?.(context, 0)) as LanguageModel | Embedding | Reranker | Tool;
  if ('embed' in supplied) await supplied.embed(['a'], context.signal);
  else if ('rerank' in supplied)
    await supplied.rerank({ query: 'a', documents: [{ text: 'a', metadata: {} }] }, context.signal);
  else if ('run' in supplied) await supplied.run({ input: 'a' }, context.signal);
  else if (isStream) for await (const _ of supplied.stream(question, context.signal));
  else await supplied.generate(question, context.signal);
}

/** An error may end a run. An error of the test would mean that no answer was read. */
function assertReached(error: unknown): void {
  expect(error).not.toMatchObject({ message: expect.stringMatching(/parameter|required|test gives no|not a function/) });
}

/**
 * A client that responds to every request with the answer, in socket-sized chunks, until `signal`
 * aborts it.
 */
function clientOf(
  { isStream, status = 200 }: Pick<Answer, 'isStream' | 'status'>,
  body: string | Uint8Array,
  signal?: AbortSignal,
): HttpClient {
  const bytes = Buffer.from(body);
  const head = {
    status,
    statusText: '',
    headers: { 'content-type': isStream ? 'text/event-stream' : 'application/json' },
    url: 'https://a.example',
  };
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += 65_536) {
      await nextTurn();
      signal?.throwIfAborted();
      yield bytes.subarray(at, at + 65_536);
    }
  }
  const stream: HttpClient['stream'] = (_request, _signal, read) => read({ ...head, body: pieces() } as HttpStreamedResponse);
  return { request: async () => ({ ...head, body: bytes }) as HttpResponse, stream, guard: noNetwork.guard };
}
