import { type ExecuteContext, NodeOperationError, ownProperty, type WebhookBody, type WebhookResponse } from '@sluice/node-sdk';
import { webAddress } from '../../shared/form-page.ts';
import { checkedPage } from '../../shared/page-length.ts';
import { choiceParameter, requiredText, textParameter } from '../../shared/parameters.ts';

const kinds = ['text', 'redirect', 'showText', 'returnBinary'] as const;

/** Final response of a form, from the parameters for the first item. */
export function completionResponse(context: ExecuteContext): WebhookResponse {
  switch (choiceParameter(context, 'respondWith', 0, kinds, 'text')) {
    case 'redirect':
      return { status: 303, headers: { location: webAddress(context, 'redirectUrl') }, body: { kind: 'none' } };
    case 'showText':
      return { status: 200, headers: {}, body: { kind: 'text', text: textParameter(context, 'responseText', 0) } };
    case 'text':
      return { status: 200, headers: {}, body: lastPage(context) };
    case 'returnBinary':
      return { status: 200, headers: {}, body: { ...lastPage(context), file: fileOf(context) } };
  }
}

function lastPage(context: ExecuteContext): Extract<WebhookBody, { kind: 'page' }> {
  const css = textParameter(context, 'options.customCss', 0).trim();
  return checkedPage({
    kind: 'page',
    title: textParameter(context, 'completionTitle', 0) || textParameter(context, 'options.formTitle', 0),
    message: textParameter(context, 'completionMessage', 0),
    ...(css !== '' && { css }),
  });
}

function fileOf(context: ExecuteContext) {
  const name = requiredText(context, 'inputDataFieldName', 0, 'data').trim();
  const file = ownProperty(context.items()[0]?.binary ?? {}, name);
  if (file) return file;
  throw new NodeOperationError(`the first item has no file "${name.slice(0, 100)}"`, {
    itemIndex: 0,
    description: 'Check the name of the file and the node’s input',
  });
}
