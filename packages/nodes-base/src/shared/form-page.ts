import {
  type ExecuteContext,
  type FormEnding,
  type FormPage,
  type FormResponse,
  type Item,
  isJsonObject,
  type JsonObject,
  maxUrlLength,
  NodeOperationError,
  type ResumeRequest,
  userKeyed,
} from '@sluice/node-sdk';
import { DateTime } from 'luxon';
import { filesOf } from './binary-files.ts';
import { formFields } from './form-fields.ts';
import { checkedPage } from './page-length.ts';
import { choiceParameter, type ParameterSource, textParameter, wrongParameter } from './parameters.ts';

/* Parameters of nodes with forms: the page, the response, and the submitted item. */

/** A node's page. `texts`: the parameter path of the title and description. */
export function formPage(source: ParameterSource, typeVersion: number, texts: '' | 'options.' = ''): FormPage {
  const css = textParameter(source, 'options.customCss', 0).trim();
  return checkedPage({
    title: textParameter(source, `${texts}formTitle`, 0),
    description: textParameter(source, `${texts}formDescription`, 0),
    buttonLabel: textParameter(source, 'options.buttonLabel', 0).trim() || 'Submit',
    fields: formFields(source, typeVersion),
    ...(css !== '' && { css }),
  });
}

/** When users receive a response after they submit the form, and which response. */
export function formResponse(source: ParameterSource): FormResponse {
  const modes = ['onReceived', 'lastNode', 'responseNode'] as const;
  const mode = choiceParameter(source, 'responseMode', 0, modes, 'onReceived');
  return { mode, ending: mode === 'responseNode' ? { kind: 'text' } : endingOf(source) };
}

function endingOf(source: ParameterSource): FormEnding {
  const group = 'options.respondWithOptions.values';
  if (choiceParameter(source, `${group}.respondWith`, 0, ['text', 'redirect'], 'text') === 'redirect')
    return { kind: 'redirect', url: webAddress(source, `${group}.redirectUrl`) };
  const text = textParameter(source, `${group}.formSubmittedText`, 0) || textParameter(source, 'options.formSubmittedText', 0);
  return text === '' ? { kind: 'text' } : checkedPage({ kind: 'text', text });
}

/** URL to redirect to. Without a scheme, it becomes `https`. */
export function webAddress(source: ParameterSource, path: string): string {
  const value = textParameter(source, path, 0).trim();
  if (value.length > maxUrlLength) throw wrongParameter(path, `a URL of at most ${maxUrlLength} characters`, value, 0);
  const text = /^[a-z][\w+.-]*:/i.test(value) ? value : `https://${value}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url.href;
  throw new NodeOperationError(`the parameter "${path}" must be a URL that starts with https:// or http://`, {
    description: 'Use the complete URL',
  });
}

/** A submitted form's item; its submission time is in the workflow's time zone. */
export function submittedItem(context: ExecuteContext, { body, binary }: Pick<ResumeRequest, 'body' | 'binary'>): Item {
  const json = isJsonObject(body) ? inZone(body, context.workflow.timezone) : {};
  return { json, ...filesOf(binary), pairedItem: { item: 0 } };
}

export function inZone(json: JsonObject, timezone: string): JsonObject {
  const { submittedAt } = json;
  const at = typeof submittedAt === 'string' ? DateTime.fromISO(submittedAt, { zone: timezone }) : undefined;
  return at?.isValid ? userKeyed([...Object.entries(json), ['submittedAt', at.toISO()] as const]) : json;
}
