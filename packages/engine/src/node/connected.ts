import { type CapabilityType, type Connected, recordedMethods } from '@sluice/node-sdk';
import { SubNodeError } from '../errors.ts';
import type { SubNodeCall } from '../sub-node-calls/sub-node-call.ts';
import type { ContextParts } from './execution-context.ts';
import { type ContextMaker, type OpenSubNode, openSubNodes } from './sub-nodes.ts';

/** Implements `ExecuteContext.connected` for the node of a context. */
export async function connectedOf<T extends CapabilityType>(
  asker: ContextParts,
  type: T,
  itemIndex: number,
  contextOf: ContextMaker,
): Promise<Connected<T>[]> {
  const opened = await openSubNodes(asker, type, contextOf);
  const supplied = await Promise.all(opened.map(async (subNode) => valuesOf(subNode, type, itemIndex)));
  return opened.flatMap((subNode, index) =>
    (supplied[index] ?? []).map((value) => ({
      nodeName: subNode.name,
      nodeType: subNode.type,
      typeVersion: subNode.typeVersion,
      value: recording(value, { asker, subNode, type, itemIndex }) as Connected<T>['value'],
    })),
  );
}

/** One value, or for tools, each value of a list. */
async function valuesOf(subNode: OpenSubNode, type: CapabilityType, itemIndex: number): Promise<object[]> {
  const supplied = await subNode.supply(itemIndex);
  const values = type === 'ai_tool' && Array.isArray(supplied) ? supplied : [supplied];
  return values.map((value: unknown) => {
    if (!isCapability(value, type)) throw new SubNodeError(subNode.name, `supplies nothing over ${type}`);
    return value;
  });
}

function isCapability(value: unknown, type: CapabilityType): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return recordedMethods[type].every((name) => typeof (value as Record<string, unknown>)[name] === 'function');
}

interface RecordingOf {
  asker: ContextParts;
  subNode: OpenSubNode;
  type: CapabilityType;
  itemIndex: number;
}

type Method = (input: unknown, signal?: AbortSignal) => unknown;

/** Values that record their calls. */
const recordings = new WeakSet();

/**
 * Wraps a value so that calls of its recorded methods are recorded. A sub-node may pass on a value
 * that another sub-node supplies: only the supplier has runs, so that tokens are counted once.
 */
function recording(value: object, of: RecordingOf): object {
  if (recordings.has(value)) return value;
  const methods: ReadonlySet<string | symbol> = new Set(recordedMethods[of.type]);
  const proxy = new Proxy(value, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      const method = member.bind(target) as Method;
      return methods.has(name) ? recorded(method, String(name), target, of) : method;
    },
  });
  recordings.add(proxy);
  return proxy;
}

function recorded(method: Method, name: string, value: object, of: RecordingOf): Method {
  const { execution } = of.asker;
  return (input, callSignal) => {
    const own = execution.request.signal;
    const signal = callSignal && callSignal !== own ? AbortSignal.any([own, callSignal]) : own;
    const call = { ...originOfCall(of, value), method: name, input, signal: own };
    if (name === 'stream') return execution.subRuns.stream(call, () => method(input, signal) as AsyncIterable<unknown>);
    return execution.subRuns.call(call, async () => method(input, signal));
  };
}

/** The properties of a call that are known before it starts. */
function originOfCall(
  { asker, subNode, type, itemIndex }: RecordingOf,
  value: object,
): Omit<SubNodeCall, 'method' | 'input' | 'signal'> {
  const { task, inputs, scope, askedBy = [] } = asker;
  const { definition, hasSubNodes, mayAct } = subNode;
  return {
    definition,
    hasSubNodes,
    mayAct,
    type,
    tool: type === 'ai_tool' && 'name' in value ? String(value.name) : undefined,
    parentName: task.node.name,
    root: { nodeName: askedBy[0] ?? task.node.name, ...scope.run },
    item: itemIndex,
    origin: inputs.items(0)[itemIndex],
    model: 'modelId' in value ? String(value.modelId) : undefined,
  };
}
