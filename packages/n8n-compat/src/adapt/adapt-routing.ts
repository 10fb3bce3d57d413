import {
  type FunctionPagination,
  headerText,
  type Item,
  type PostReceive,
  type PreSend,
  type Routing,
  type RoutingResponse,
} from '@sluice/node-sdk';
import type { CommunityFunction, RunningType } from '../community-types.ts';
import type { HttpRequestOptions } from '../context/request-options.ts';
import { toRequestOptions, withRequestOptions } from '../context/request-view.ts';
import { mapCopies } from '../plain-data.ts';
import { callSingle } from './call-single.ts';
import { toNodeOutput } from './to-node-output.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Converts the routing of a parameter: data is kept as is, functions are called with their own
 * context.
 */
export function adaptRouting(routing: Fields, type: RunningType): Routing {
  const { request, send, output, operations } = routing as Record<string, Fields | undefined>;
  const pagination = operations?.['pagination'];
  return {
    ...(request && { request }),
    ...(send && { send: adaptSend(send, type) }),
    ...(output && { output: adaptOutput(output, type) }),
    ...(pagination !== undefined && { operations: { pagination: adaptPagination(pagination, type) } }),
  } as Routing;
}

function adaptSend({ preSend, ...send }: Fields, type: RunningType): Fields {
  if (!Array.isArray(preSend)) return send;
  return { ...send, preSend: preSend.filter(isFunction).map((call) => adaptPreSend(call, type)) };
}

function adaptPreSend(preSend: CommunityFunction, type: RunningType): PreSend {
  return async (request, context, itemIndex) => {
    const options = await callSingle(preSend, { type, context, itemIndex }, [await toRequestOptions(request)]);
    return withRequestOptions(request, options as HttpRequestOptions);
  };
}

function adaptOutput({ postReceive, ...output }: Fields, type: RunningType): Fields {
  const steps = Array.isArray(postReceive) ? postReceive : [];
  return { ...output, postReceive: steps.map((step: unknown) => (isFunction(step) ? adaptPostReceive(step, type) : step)) };
}

function adaptPostReceive(postReceive: CommunityFunction, type: RunningType): PostReceive {
  return async (items, response, context, itemIndex) => {
    const processed = await callSingle(postReceive, { type, context, itemIndex }, [
      await mapCopies(items, (item) => item),
      viewOf(response),
    ]);
    const [output] = await toNodeOutput([processed], context);
    return output ?? [];
  };
}

type Pagination = NonNullable<NonNullable<Routing['operations']>['pagination']>;

/** Pagination as data, or by a function that requests pages with `makeRoutingRequest`. */
function adaptPagination(pagination: unknown, type: RunningType): Pagination {
  return isFunction(pagination) ? paginationBy(pagination, type) : (pagination as Pagination);
}

function paginationBy(call: CommunityFunction, type: RunningType): FunctionPagination {
  return async (request, send, context, itemIndex) => {
    const makeRoutingRequest = async (routingRequest: { options: HttpRequestOptions }): Promise<Item[]> =>
      send(await withRequestOptions(request, routingRequest.options));
    const asking = { options: await toRequestOptions(request), paginate: true, preSend: [], postReceive: [] };
    const pages = await callSingle(call, { type, context, itemIndex }, [asking], { makeRoutingRequest });
    const [output] = await toNodeOutput([pages], context);
    return output ?? [];
  };
}

/** A response in the packages' format; bytes if it is neither JSON nor text. */
function viewOf({ body, raw, headers, status, statusText }: RoutingResponse): object {
  const type = headerText(headers, 'content-type');
  const isText = type === '' || /json|text|xml|html|javascript|urlencoded/i.test(type);
  return { body: isText ? body : Buffer.from(raw), headers, statusCode: status, statusMessage: statusText };
}

function isFunction(value: unknown): value is CommunityFunction {
  return typeof value === 'function';
}
