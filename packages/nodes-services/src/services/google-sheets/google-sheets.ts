import { defineService } from '../../shared/define-service.ts';
import { googleAccount } from '../../shared/google-account.ts';
import { sheetsClient } from './google-sheets-client.ts';
import { fieldVersions, mappedVersions } from './row-record.ts';
import { sheet } from './sheet.ts';
import { sheetMethods } from './sheet-methods.ts';
import { spreadsheet } from './spreadsheet.ts';

const version = [...fieldVersions, ...mappedVersions];

export const googleSheets = defineService({
  displayName: 'Google Sheets',
  name: 'google-sheets',
  version,
  defaultVersion: 4.7,
  description: 'Reads and writes rows of Google Sheets',
  ...googleAccount('googleSheetsOAuth2Api', { version }),
  icon: 'fa:table',
  iconColor: 'green',
  client: sheetsClient,
  resources: { spreadsheet, sheet },
  initial: 'sheet',
  methods: sheetMethods(sheetsClient),
});
