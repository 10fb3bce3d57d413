import type { JsonValue, NodeProperty } from '@sluice/node-sdk';
import { atLeast, choice, choices, list, names, number, text, toggle, where } from './properties.ts';

/* How nodes with forms describe their fields. */

type Shown = Record<string, readonly JsonValue[]>;

const options = (fieldType: string): NodeProperty =>
  list('fieldOptions', 'Field Options', 'values', [text('option', 'Option', 'What can be chosen')], {
    ...where({ fieldType: [fieldType] }),
  });

const fieldTypes = choices(
  ['text', 'Text Input'],
  ['textarea', 'Textarea'],
  ['number', 'Number'],
  ['email', 'Email'],
  ['password', 'Password'],
  ['date', 'Date', 'Gives YYYY-MM-DD'],
  ['dropdown', 'Dropdown'],
  ['radio', 'Radio Buttons'],
  ['checkbox', 'Checkboxes', 'Give a list'],
  ['file', 'File'],
  ['hiddenField', 'Hidden Field'],
  ['html', 'Custom HTML', 'Shown between the fields; only what formats text is left of it'],
);

const labeled = fieldTypes.map(({ value }) => value).filter((type) => type !== 'hiddenField' && type !== 'html');

const formFieldValues: readonly NodeProperty[] = [
  text('fieldLabel', 'Label', 'What users see beside the field', where({ fieldType: labeled })),
  text('fieldName', 'Field Name', 'What the value is called in the item; empty, and up to version 2.3: as the label'),
  choice('fieldType', 'Element Type', fieldTypes, { default: 'text' }),
  text(
    'elementName',
    'Element Name',
    'Name under which the item has the HTML; empty: it does not',
    where({ fieldType: ['html'] }),
  ),
  text('html', 'HTML', 'Text with simple markup', where({ fieldType: ['html'] })),
  text(
    'placeholder',
    'Placeholder',
    'Shown while the field is empty',
    where({ fieldType: ['text', 'textarea', 'number', 'email', 'password'] }),
  ),
  text(
    'defaultValue',
    'Default Value',
    'What the field is filled with at first',
    where({ fieldType: labeled.filter((type) => type !== 'file') }),
  ),
  text(
    'fieldValue',
    'Field Value',
    'What the item has; the address of the form may say otherwise',
    where({ fieldType: ['hiddenField'] }),
  ),
  ...['dropdown', 'checkbox', 'radio'].map(options),
  toggle('multiselect', 'Multiple Choice', 'Whether several can be chosen', where({ fieldType: ['dropdown'] })),
  choice(
    'limitSelection',
    'Limit Selection',
    choices(['unlimited', 'Unlimited'], ['exact', 'Exact Number'], ['range', 'Range']),
    {
      description: 'How many can be chosen',
      ...where({ fieldType: ['checkbox'] }),
    },
  ),
  atLeast(
    0,
    number('numberOfSelections', 'Number of Selections', 1, 'How many have to be chosen', where({ limitSelection: ['exact'] })),
  ),
  atLeast(
    0,
    number(
      'minSelections',
      'Minimum Selections',
      0,
      'How many have to be chosen at least',
      where({ limitSelection: ['range'] }),
    ),
  ),
  atLeast(
    0,
    number('maxSelections', 'Maximum Selections', 1, 'How many can be chosen at most', where({ limitSelection: ['range'] })),
  ),
  toggle('multipleFiles', 'Multiple Files', 'Whether several files can be sent', {
    default: true,
    ...where({ fieldType: ['file'] }),
  }),
  names(
    'acceptFileTypes',
    'Accepted File Types',
    'Endings or content types, separated by commas, such as .pdf, image/*; empty: all',
    where({ fieldType: ['file'] }),
  ),
  toggle('requiredField', 'Required Field', 'Whether the form cannot be sent without it', where({ fieldType: labeled })),
];

export const formTitle = (show?: Shown): NodeProperty =>
  text('formTitle', 'Form Title', 'Heading of the page, and its title', show && where(show));

export const formDescription = (show?: Shown): NodeProperty =>
  text('formDescription', 'Form Description', 'Stands below the title; may hold simple HTML', show && where(show));

export const formFieldList = (show?: Shown): NodeProperty =>
  list('formFields', 'Form Elements', 'values', formFieldValues, {
    description: 'The fields, from top to bottom; no two with one name',
    ...(show && where(show)),
  });

export const buttonLabel = text('buttonLabel', 'Button Label', 'Label of the button that sends the form', {
  default: 'Submit',
});

export const customCss = text(
  'customCss',
  'Custom Form Styling',
  'A style sheet that is added to the page; it can load nothing, and neither can the page',
);

export const appendAttribution = toggle('appendAttribution', 'Append Attribution', 'Has no effect: forms carry none', {
  default: true,
});

/** What users see once they have sent the form. */
export const respondWithOptions: NodeProperty = {
  displayName: 'Form Response',
  name: 'respondWithOptions',
  type: 'fixedCollection',
  default: {},
  options: [
    {
      name: 'values',
      displayName: 'Values',
      values: [
        choice('respondWith', 'Respond With', choices(['text', 'Form Submitted Text'], ['redirect', 'Redirect URL'])),
        text(
          'formSubmittedText',
          'Text to Show',
          'Shown in place of a general word of thanks',
          where({ respondWith: ['text'] }),
        ),
        text(
          'redirectUrl',
          'URL to Redirect to',
          'Where the browser goes on; http or https',
          where({ respondWith: ['redirect'] }),
        ),
      ],
    },
  ],
};

/** `missing`: the event that did not happen in time. */
export const limitWaitTime = (show: Shown, missing = 'no form was submitted'): NodeProperty[] => {
  const units = choices(['seconds', 'Seconds'], ['minutes', 'Minutes'], ['hours', 'Hours'], ['days', 'Days']);
  const limited = { ...show, limitWaitTime: [true] };
  return [
    toggle(
      'limitWaitTime',
      'Limit Wait Time',
      `Whether to continue with the incoming items if ${missing} in time`,
      where(show),
    ),
    choice(
      'limitType',
      'Limit Type',
      choices(['afterTimeInterval', 'After Time Interval'], ['atSpecifiedTime', 'At Specified Time']),
      where(limited),
    ),
    atLeast(
      0,
      number('resumeAmount', 'Amount', 1, 'How long to wait', where({ ...limited, limitType: ['afterTimeInterval'] })),
    ),
    choice('resumeUnit', 'Unit', units, { default: 'hours', ...where({ ...limited, limitType: ['afterTimeInterval'] }) }),
    text('maxDateAndTime', 'Max Date and Time', 'Until when to wait', {
      type: 'dateTime',
      ...where({ ...limited, limitType: ['atSpecifiedTime'] }),
    }),
  ];
};
