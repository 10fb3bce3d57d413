import type { NodeProperty } from '@sluice/node-sdk';
import { choice, choices, disableDotNotation, options, text, toggle, where } from '../../shared/properties.ts';

export const splitOutProperties: readonly NodeProperty[] = [
  text(
    'fieldToSplitOut',
    'Fields To Split Out',
    'Fields that hold lists, separated by commas; `$binary` means the files of the item',
    {
      required: true,
    },
  ),
  choice(
    'include',
    'Include',
    choices(
      ['noOtherFields', 'No Other Fields'],
      ['allOtherFields', 'All Other Fields'],
      ['selectedOtherFields', 'Selected Other Fields'],
    ),
    { description: 'Which other fields of the item each element gets' },
  ),
  text('fieldsToInclude', 'Fields To Include', 'Names separated by commas', where({ include: ['selectedOtherFields'] })),
  options([
    disableDotNotation,
    text('destinationFieldName', 'Destination Field Name', 'The fields that the elements come out in, separated by commas'),
    toggle('includeBinary', 'Include Binary', 'Whether each element gets the files of the item'),
  ]),
];
