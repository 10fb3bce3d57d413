import { isJsonObject } from '@sluice/domain';
import { type ListenContext, NodeOperationError, type NodeType, type TriggerHandle } from '@sluice/node-sdk';
import type { CommunityNodeType } from '../community-types.ts';
import type { RunStaticData } from '../context/static-data.ts';
import { withNodeErrors } from '../context/to-node-error.ts';
import { unsupportedFunctions } from '../context/unsupported.ts';
import { callWithContext } from './call-with-context.ts';
import { sourceFunctions } from './source-functions.ts';
import { toNodeOutput } from './to-node-output.ts';

/** What waits for the execution that an event has started. */
interface DonePromise {
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** A listener: what it emits starts executions, in the order in which it does. */
export function adaptTrigger(type: CommunityNodeType): NonNullable<NodeType['trigger']> {
  return (context: ListenContext): Promise<TriggerHandle> => {
    const { functions, staticData } = sourceFunctions(type, context, 'trigger');
    const emit = (outputs: unknown, _response?: unknown, done?: DonePromise): void => {
      emitted(outputs, context, staticData).then(
        (status) => done?.resolve({ status, finished: status === 'success' }),
        (error: unknown) => {
          done?.reject(error);
          context.logger.warn({ error: String(error) }, 'an event started no execution');
        },
      );
    };
    const helpers = { ...functions.helpers, ...unsupportedFunctions(['registerCron'], 'this.helpers.') };
    return withNodeErrors(context.signal, async () => {
      const given = await callWithContext(type, type.trigger, { ...functions, helpers, emit, emitError: context.failed });
      return { close: closeOf(given) };
    });
  };
}

async function emitted(given: unknown, context: ListenContext, staticData: RunStaticData): Promise<string> {
  const files = { store: context.binary.store.bind(context.binary) };
  const outputs = await toNodeOutput(given, { binary: files });
  const output = outputs.findIndex((items) => (items?.length ?? 0) > 0);
  if (output === -1) throw new NodeOperationError('an event has no items');
  const { node: cursor } = staticData.changed() ?? {};
  const execution = await context.emit(outputs[output] ?? [], { output, ...(cursor && { cursor }) });
  return execution.ended();
}

function closeOf(given: unknown): TriggerHandle['close'] {
  const close = isJsonObject(given) ? (given as { closeFunction?: unknown }).closeFunction : undefined;
  return typeof close === 'function' ? async () => void (await close.call(given)) : () => undefined;
}
