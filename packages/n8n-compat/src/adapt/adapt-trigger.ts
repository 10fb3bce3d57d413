import { errorMessage, isJsonObject } from '@sluice/domain';
import {
  type EmittedExecution,
  type ListenContext,
  NodeOperationError,
  type NodeOutput,
  type NodeType,
  type TriggerHandle,
} from '@sluice/node-sdk';
import type { CommunityNodeType } from '../community-types.ts';
import type { RunStaticData } from '../context/static-data.ts';
import { callGuarded } from '../context/to-node-error.ts';
import { unsupportedFunctions } from '../unsupported.ts';
import { callWithContext } from './call-with-context.ts';
import { sourceFunctions } from './source-functions.ts';
import { toNodeOutput } from './to-node-output.ts';

/** Waits for the end of the execution that an event started. */
interface DonePromise {
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** A listener. Events that it emits start executions in order. */
export function adaptTrigger(type: CommunityNodeType): NonNullable<NodeType['trigger']> {
  return async (context: ListenContext): Promise<TriggerHandle> => {
    const { functions, staticData } = await sourceFunctions(type, context, 'trigger');
    let last: Promise<unknown> = Promise.resolve();
    // The result is undocumented and never rejects. Awaiting it applies back-pressure.
    const emit = async (output: unknown, _response?: unknown, done?: DonePromise): Promise<void> => {
      try {
        const outputs = toNodeOutput(output, { binary: { store: context.binary.store.bind(context.binary) } });
        // Sequential, because a large event's static data take longer.
        const emitting = Promise.all([outputs, last]).then(([nodeOutput]) => emitted(nodeOutput, context, staticData));
        last = emitting.catch(() => undefined);
        void reportEnd(await Promise.all((await emitting).executions), done);
      } catch (error) {
        done?.reject(error);
        context.logger.warn({ error: errorMessage(error) }, 'an event did not start an execution');
      }
    };
    const helpers = { ...functions.helpers, ...unsupportedFunctions(['registerCron'], 'this.helpers.') };
    return callGuarded(context, async () => {
      const result = await callWithContext(type, type.trigger, { ...functions, helpers, emit, emitError: context.failed });
      return { close: closeOf(result) };
    });
  };
}

/** Emits an event; resolves before its executions are stored. */
async function emitted(
  outputs: NodeOutput,
  context: ListenContext,
  staticData: RunStaticData,
): Promise<{ executions: Promise<EmittedExecution>[] }> {
  if (!Array.isArray(outputs)) throw new NodeOperationError('an event is a list of items for each output');
  const filled = outputs.flatMap((items, output) => (items && items.length > 0 ? [{ items, output }] : []));
  if (filled.length === 0) throw new NodeOperationError('an event has no items');
  const { node: cursor } = (await staticData.changed()) ?? {};
  const shared = await staticData.takeShared();
  if (shared) context.sharedData?.save(shared);
  // The cursor advances with the last output: after a failure, the event is repeated rather than
  // lost.
  const executions = filled.map(({ items, output }, i) =>
    context.emit(items, { output, ...(cursor && i === filled.length - 1 && { cursor }) }),
  );
  return { executions };
}

async function reportEnd(executions: readonly EmittedExecution[], done: DonePromise | undefined): Promise<void> {
  if (!done) return;
  try {
    const statuses = await Promise.all(executions.map((execution) => execution.ended()));
    const status = statuses.find((one) => one !== 'success') ?? 'success';
    done.resolve({ status, finished: status === 'success' });
  } catch (error) {
    done.reject(error);
  }
}

function closeOf(result: unknown): TriggerHandle['close'] {
  const close = isJsonObject(result) ? (result as { closeFunction?: unknown }).closeFunction : undefined;
  return typeof close === 'function' ? async () => void (await close.call(result)) : () => undefined;
}
