import { isJsonObject, type JsonValue } from '@sluice/domain';
import type { Item, NodeType, WebhookResult } from '@sluice/node-sdk';
import type { CommunityNodeType } from '../community-types.ts';
import { ResponseObject, requestObject } from '../context/http-call.ts';
import { plainData } from '../plain-data.ts';
import { webhookCall } from './adapt-methods.ts';
import { callBeside } from './call-beside.ts';
import { callWithContext } from './call-with-context.ts';
import { toNodeOutput } from './to-node-output.ts';

/** What becomes of a call: its items, or its answer, or both. */
export function adaptWebhook(type: CommunityNodeType): NonNullable<NodeType['webhook']> {
  return async (context) => {
    const { request } = context;
    const requestView = requestObject(request);
    const responseView = new ResponseObject(context);
    const ofCall = {
      getRequestObject: () => requestView,
      getResponseObject: () => responseView,
      getBodyData: () => request.body,
      getHeaderData: () => request.headers,
      getQueryData: () => request.query,
      getParamsData: () => request.params,
    };
    const given = await callBeside(webhookCall(type, context, ofCall), (functions) =>
      callWithContext(type, type.webhook, functions),
    );
    const { workflowData, webhookResponse, noWebhookResponse } = (isJsonObject(given) ? given : {}) as Record<string, unknown>;
    const items = workflowData === undefined ? undefined : await toNodeOutput(workflowData, { binary: filesOfCall });
    const response = webhookResponse === undefined ? undefined : plainData(webhookResponse);
    return {
      ...(items && { workflowData: items.map((output): Item[] => output ?? []) }),
      ...(response !== undefined && { webhookResponse: response as JsonValue }),
      ...(noWebhookResponse === true && { noWebhookResponse }),
    } satisfies WebhookResult;
  };
}

/** Files of a call are stored before its node sees it; it cannot add any. */
const filesOfCall = {
  store: async (): Promise<never> => {
    throw new TypeError('a webhook cannot store files');
  },
};
