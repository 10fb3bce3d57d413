import type { NodeType } from '@sluice/node-sdk';
import { submittedItem } from '../../shared/form-page.ts';
import { appendAttribution, buttonLabel, customCss, formFieldList, limitWaitTime } from '../../shared/form-properties.ts';
import { choiceParameter } from '../../shared/parameters.ts';
import { passedItem } from '../../shared/per-item.ts';
import { choice, choices, options, text, where } from '../../shared/properties.ts';
import { completionResponse } from './completion-response.ts';
import { pageSuspension } from './page-suspension.ts';

const page = { operation: ['page'] };
const completion = { operation: ['completion'] };
const title = text('formTitle', 'Form Title', 'Heading and title of the page');

/** Shows another page of a form, or its final response. */
export const form: NodeType = {
  description: {
    displayName: 'Form',
    name: 'form',
    group: ['input'],
    version: [1, 2.3, 2.4, 2.5],
    defaultVersion: 2.5,
    description:
      'Shows another page to the user who submitted the previous form, and waits for its submission in status `waiting`; or shows the final page of a form. The page is also at `$execution.resumeFormUrl`',
    defaults: { name: 'Form' },
    inputs: ['main'],
    outputs: ['main'],
    properties: [
      choice('operation', 'Page Type', choices(['page', 'Next Form Page'], ['completion', 'Form Ending'])),
      choice('defineForm', 'Define Form', choices(['fields', 'Using Fields Below'], ['json', 'Using JSON']), where(page)),
      text('jsonOutput', 'Form Fields', 'A list of fields, with a field’s parameter names', {
        type: 'json',
        default: '[]',
        ...where({ ...page, defineForm: ['json'] }),
      }),
      formFieldList({ ...page, defineForm: ['fields'] }),
      ...limitWaitTime(page),
      options(
        [
          title,
          text('formDescription', 'Form Description', 'Shown below the title; may contain simple HTML'),
          buttonLabel,
          customCss,
        ],
        where(page),
      ),
      choice(
        'respondWith',
        'On Submission',
        choices(
          ['text', 'Show Completion Screen'],
          ['redirect', 'Redirect to URL'],
          ['showText', 'Show Text', 'Custom HTML, isolated from the service’s origin'],
          ['returnBinary', 'Return Binary File', 'A page with a file to be downloaded'],
        ),
        where(completion),
      ),
      text(
        'redirectUrl',
        'URL',
        'URL that the browser is redirected to; http or https',
        where({ ...completion, respondWith: ['redirect'] }),
      ),
      text(
        'completionTitle',
        'Completion Title',
        'Heading of the last page',
        where({ ...completion, respondWith: ['text', 'returnBinary'] }),
      ),
      text(
        'completionMessage',
        'Completion Message',
        'Text of the last page; may contain simple HTML',
        where({ ...completion, respondWith: ['text', 'returnBinary'] }),
      ),
      text('responseText', 'Text', 'HTML of the whole last page', where({ ...completion, respondWith: ['showText'] })),
      text('inputDataFieldName', 'Input Data Field Name', 'Which file of the first item it is', {
        default: 'data',
        ...where({ ...completion, respondWith: ['returnBinary'] }),
      }),
      options([title, appendAttribution, customCss], where(completion)),
    ],
    icon: 'fa:list-alt',
    iconColor: 'green',
  },
  async execute(context) {
    if (choiceParameter(context, 'operation', 0, ['page', 'completion'], 'page') === 'page') {
      context.suspend(pageSuspension(context));
      return [];
    }
    const counts = await context.respond?.({ ...completionResponse(context), endsForm: true });
    if (counts === false) context.logger.warn({}, 'the form already has a response');
    return [context.items().map((item, itemIndex) => passedItem(item, itemIndex))];
  },
  resume(context, event) {
    if (event.kind === 'call') return [[submittedItem(context, event.request)]];
    return [context.items().map((item, itemIndex) => passedItem(item, itemIndex))];
  },
};
