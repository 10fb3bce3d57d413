import type { Email } from 'postal-mime';

/*
 * Tasks of work threads for formats. A thread loads this file and the reader or writer of one format, and little else of the package.
 */

/** A file of an archive. */
export type ArchivedFile = readonly [path: string, bytes: Uint8Array];

/** How cells become fields. */
export interface SheetOptions {
  /** Whether the first row names the fields; otherwise each row is `{ row: [cell, …] }`. */
  headerRow: boolean;
  includeEmptyCells: boolean;
  /** Strings stay strings, where they would otherwise be read as numbers or dates. */
  rawData: boolean;
  /** A range such as `A1:C10`, or the 0-based number of the first row. */
  range?: string;
  /** Default: the first sheet. */
  sheetName?: string;
}

export type SheetFormat = 'html' | 'ods' | 'rtf' | 'xls' | 'xlsx';

export interface CsvOptions {
  delimiter: string;
  /** Whether the first row names the fields; otherwise each row is `{ row: { 0: cell, … } }`. */
  headerRow: boolean;
  includeEmptyCells: boolean;
  stripBom: boolean;
  /** Whether a quote may stand within a value that is not quoted. */
  relaxQuotes: boolean;
  /** 1-based. */
  fromLine: number;
  /** Negative: all of them. */
  maxRowCount: number;
  /** How many records with errors are left out before they are too many. Absent: the first one is an error. */
  maxSkipped?: number;
}

export interface FormatTasks {
  /** Parts are lists of rows. */
  readCsv: { input: { text: string; options: CsvOptions }; part: FormatJson[] };
  /** A sheet of a workbook, given as bytes, text, or the files of the archive that it is; parts are lists of rows. */
  readSheet: { input: { content: Uint8Array | string | readonly ArchivedFile[]; options: SheetOptions }; part: FormatJson[] };
  /** A workbook of one sheet; the part is its bytes. `header` names the columns; `undefined` leaves them out. `rowsJson`: a list of lists of cells. */
  writeSheet: {
    input: {
      rowsJson: string;
      header: readonly string[] | undefined;
      format: SheetFormat;
      sheetName: string;
      compression: boolean;
    };
    part: Uint8Array;
  };
  /** Text and facts of a PDF document. `maxPages` 0: all of them. */
  readPdf: { input: { bytes: Uint8Array; password: string; maxPages: number; joinPages: boolean }; part: FormatJson };
  /** Text of the main part of a Word document, `word/document.xml`. */
  readDocx: { input: { xml: Uint8Array }; part: FormatJson };
  /** An iCalendar file as JSON. */
  readCalendar: { input: { text: string }; part: FormatJson };
  /** A mail with its attachments. */
  readMail: { input: { source: Uint8Array }; part: Email };
}

export type Cell = string | number | boolean | null;
export type FormatJson = { [key: string]: unknown };
export type TaskName = keyof FormatTasks;

/** A task as the thread receives it. */
export type TaskMessage = { [Name in TaskName]: { name: Name; input: FormatTasks[Name]['input'] } }[TaskName];
