import { isJsonObject, type JsonValue } from '@sluice/domain';
import type { Item, NodeType, WebhookRequestContext, WebhookResult } from '@sluice/node-sdk';
import type { CommunityNodeType } from '../community-types.ts';
import { ResponseObject, requestObject } from '../context/http-call.ts';
import { identityFunctions } from '../context/identity-functions.ts';
import { RunStaticData, staticPart } from '../context/static-data.ts';
import { UploadedFiles } from '../context/uploaded-files.ts';
import { plainDataInSlices } from '../plain-data.ts';
import { webhookFunctions } from './adapt-methods.ts';
import { callOutsideRun } from './call-outside-run.ts';
import { callWithContext } from './call-with-context.ts';
import { toNodeOutput } from './to-node-output.ts';

/** Converts the result of a webhook request: items, a response, or both. */
export function adaptWebhook(type: CommunityNodeType): NonNullable<NodeType['webhook']> {
  return async (context) => {
    const uploaded = new UploadedFiles(context);
    const shared = await RunStaticData.open({ global: (await context.sharedData?.read()) ?? {}, node: {} });
    const response = new ResponseObject(context);
    const result = await callOutsideRun(
      {
        type,
        context,
        mode: 'webhook',
        binary: context.binary,
        openFile: (path) => uploaded.open(path),
        staticData: (part) => (staticPart(part) === 'node' ? context.staticData : shared.of('global')),
        further: {
          ...webhookFunctions(context),
          ...identityFunctions(context),
          ...callFunctions(context, uploaded.body, response),
        },
      },
      (functions) => callWithContext(type, type.webhook, functions),
    );
    await response.sent();
    const sharedData = await shared.takeShared();
    if (sharedData) context.sharedData?.save(sharedData);
    return toResult(result, context);
  };
}

/** The request functions of a webhook's context. */
function callFunctions({ request }: WebhookRequestContext, body: unknown, response: ResponseObject) {
  const requestView = requestObject(request, body);
  return {
    getRequestObject: () => requestView,
    getResponseObject: () => response,
    getBodyData: () => body,
    getHeaderData: () => request.headers,
    getQueryData: () => request.query,
    getParamsData: () => request.params,
  };
}

/** The receiver reports values that are not objects or have invalid items. */
async function toResult(result: unknown, { binary }: WebhookRequestContext): Promise<WebhookResult> {
  if (!isJsonObject(result)) return result as unknown as WebhookResult;
  const { workflowData, webhookResponse, noWebhookResponse } = result as Record<string, unknown>;
  const response = webhookResponse === undefined ? undefined : await plainDataInSlices(webhookResponse, 'webhookResponse');
  return {
    ...(workflowData !== undefined && workflowData !== null && { workflowData: await itemsOf(workflowData, binary) }),
    ...(response !== undefined && { webhookResponse: response as JsonValue }),
    ...(noWebhookResponse === true && { noWebhookResponse }),
  };
}

async function itemsOf(workflowData: unknown, binary: WebhookRequestContext['binary']): Promise<Item[][]> {
  const outputs = await toNodeOutput(workflowData, { binary });
  return Array.isArray(outputs) ? outputs.map((items) => items ?? []) : outputs;
}
