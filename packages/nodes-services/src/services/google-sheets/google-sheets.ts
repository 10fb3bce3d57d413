import { defineService } from '../../shared/define-service.ts';
import { googleAccount } from '../../shared/google-account.ts';
import { byServiceAccount, sheetsClient } from './google-sheets-client.ts';
import { rangeSheet, rangeSpreadsheet } from './range-sheet.ts';
import { fieldVersions, mappedVersions, rangeVersions } from './row-record.ts';
import { sheet } from './sheet.ts';
import { sheetMethods } from './sheet-methods.ts';
import { spreadsheet } from './spreadsheet.ts';

const version = [...rangeVersions, ...fieldVersions, ...mappedVersions];

export const googleSheets = defineService({
  displayName: 'Google Sheets',
  name: 'google-sheets',
  version,
  defaultVersion: 4.7,
  description: 'Reads and writes rows in Google Sheets',
  ...googleAccount('googleSheetsOAuth2Api', { version, byServiceAccount }),
  icon: 'fa:table',
  iconColor: 'green',
  client: sheetsClient,
  resources: { spreadsheet, sheet },
  initial: 'sheet',
  earlier: { versions: rangeVersions, resources: { spreadsheet: rangeSpreadsheet, sheet: rangeSheet }, initial: 'sheet' },
  methods: sheetMethods(sheetsClient),
});
