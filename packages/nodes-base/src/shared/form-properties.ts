import type { JsonValue, NodeProperty } from '@sluice/node-sdk';
import { atLeast, choice, choices, list, names, number, text, toggle, where } from './properties.ts';

/* Properties for form fields, shared by nodes with forms. */

type Shown = Record<string, readonly JsonValue[]>;

const options = (fieldType: string): NodeProperty =>
  list('fieldOptions', 'Field Options', 'values', [text('option', 'Option', 'Choices of the field')], {
    ...where({ fieldType: [fieldType] }),
  });

const fieldTypes = choices(
  ['text', 'Text Input'],
  ['textarea', 'Textarea'],
  ['number', 'Number'],
  ['email', 'Email'],
  ['password', 'Password'],
  ['date', 'Date', 'Returns YYYY-MM-DD'],
  ['dropdown', 'Dropdown'],
  ['radio', 'Radio Buttons'],
  ['checkbox', 'Checkboxes', 'Give a list'],
  ['file', 'File'],
  ['hiddenField', 'Hidden Field'],
  ['html', 'Custom HTML', 'Shown between the fields; only text formatting is kept'],
);

const labeled = fieldTypes.map(({ value }) => value).filter((type) => type !== 'hiddenField' && type !== 'html');

const formFieldValues: readonly NodeProperty[] = [
  text('fieldLabel', 'Label', 'Label that users see next to the field', where({ fieldType: labeled })),
  text('fieldName', 'Field Name', 'Name of the value in the item. Default, and always up to version 2.3: the label'),
  choice('fieldType', 'Element Type', fieldTypes, { default: 'text' }),
  text('elementName', 'Element Name', 'Name of the HTML in the item; empty: not included', where({ fieldType: ['html'] })),
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
    'Initial value of the field',
    where({ fieldType: labeled.filter((type) => type !== 'file') }),
  ),
  text(
    'fieldValue',
    'Field Value',
    'Value in the item; a query parameter of the form’s URL can override it',
    where({ fieldType: ['hiddenField'] }),
  ),
  ...['dropdown', 'checkbox', 'radio'].map(options),
  toggle('multiselect', 'Multiple Choice', 'Whether users can choose several options', where({ fieldType: ['dropdown'] })),
  choice(
    'limitSelection',
    'Limit Selection',
    choices(['unlimited', 'Unlimited'], ['exact', 'Exact Number'], ['range', 'Range']),
    {
      description: 'How many users can choose',
      ...where({ fieldType: ['checkbox'] }),
    },
  ),
  atLeast(
    0,
    number('numberOfSelections', 'Number of Selections', 1, 'How many users must choose', where({ limitSelection: ['exact'] })),
  ),
  atLeast(0, number('minSelections', 'Minimum Selections', 0, 'Fewest choices', where({ limitSelection: ['range'] }))),
  atLeast(0, number('maxSelections', 'Maximum Selections', 1, 'Most choices', where({ limitSelection: ['range'] }))),
  toggle('multipleFiles', 'Multiple Files', 'Whether users can upload several files', {
    default: true,
    ...where({ fieldType: ['file'] }),
  }),
  names(
    'acceptFileTypes',
    'Accepted File Types',
    'File extensions or content types, separated by commas, such as .pdf, image/*; empty: all',
    where({ fieldType: ['file'] }),
  ),
  toggle('requiredField', 'Required Field', 'Whether users must fill in the field', where({ fieldType: labeled })),
];

export const formTitle = (show?: Shown): NodeProperty =>
  text('formTitle', 'Form Title', 'Heading and title of the page', show && where(show));

export const formDescription = (show?: Shown): NodeProperty =>
  text('formDescription', 'Form Description', 'Shown below the title; may contain simple HTML', show && where(show));

export const formFieldList = (show?: Shown): NodeProperty =>
  list('formFields', 'Form Elements', 'values', formFieldValues, {
    description: 'The fields, from top to bottom, with unique names',
    ...(show && where(show)),
  });

export const buttonLabel = text('buttonLabel', 'Button Label', 'Label of the submit button', {
  default: 'Submit',
});

export const customCss = text(
  'customCss',
  'Custom Form Styling',
  'CSS added to the page; neither it nor the page can load external resources',
);

export const appendAttribution = toggle('appendAttribution', 'Append Attribution', 'Has no effect: forms have no attribution', {
  default: true,
});

/** The response to users after they submit the form. */
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
          'Shown instead of the default thank-you text',
          where({ respondWith: ['text'] }),
        ),
        text(
          'redirectUrl',
          'URL to Redirect to',
          'URL that the browser is redirected to; http or https',
          where({ respondWith: ['redirect'] }),
        ),
      ],
    },
  ],
};

/** @param missing the event that did not happen within the time limit */
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
