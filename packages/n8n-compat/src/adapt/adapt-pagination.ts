import type { FunctionPagination, Item, Routing } from '@sluice/node-sdk';
import type { CommunityFunction, RunningType } from '../community-types.ts';
import type { HttpRequestOptions } from '../context/request-options.ts';
import { toRequestOptions, withRequestOptions } from '../context/request-view.ts';
import { callSingle } from './call-single.ts';
import { toNodeOutput } from './to-node-output.ts';

type Pagination = NonNullable<NonNullable<Routing['operations']>['pagination']>;

/** Pagination as data, or by a function that requests pages with `makeRoutingRequest`. */
export function adaptPagination(pagination: unknown, type: RunningType): Pagination {
  return typeof pagination === 'function' ? byFunction(pagination as CommunityFunction, type) : (pagination as Pagination);
}

function byFunction(call: CommunityFunction, type: RunningType): FunctionPagination {
  return async (request, send, context, itemIndex) => {
    const makeRoutingRequest = async (routingRequest: { options: HttpRequestOptions }): Promise<Item[]> =>
      send(await withRequestOptions(request, routingRequest.options));
    const asking = { options: await toRequestOptions(request), paginate: true, preSend: [], postReceive: [] };
    const pages = await callSingle(call, { type, context, itemIndex }, [asking], { makeRoutingRequest });
    const [output] = await toNodeOutput([pages], context);
    return output ?? [];
  };
}
