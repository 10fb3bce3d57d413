import type { Email } from 'postal-mime';

/*
 * Work-thread tasks for formats. A thread loads this file and one format's reader or writer, and
 * little else of the package.
 */

/** How cells are converted to fields. */
export interface SheetOptions {
  /** Whether the first row contains the field names; otherwise each row is `{ row: [cell, …] }`. */
  headerRow: boolean;
  includeEmptyCells: boolean;
  /** Keeps strings that would otherwise be read as numbers or dates. */
  rawData: boolean;
  /** A range such as `A1:C10`, or the 0-based number of the first row. */
  range?: string;
  /** Default: the first sheet. */
  sheetName?: string;
}

export type SheetFormat = 'html' | 'ods' | 'rtf' | 'xls' | 'xlsx';

export interface CsvOptions {
  delimiter: string;
  /**
   * Whether the first row contains the field names; otherwise each row is
   * `{ row: { 0: cell, … } }`.
   */
  headerRow: boolean;
  includeEmptyCells: boolean;
  stripBom: boolean;
  /** Whether an unquoted value may contain a quote. */
  relaxQuotes: boolean;
  /** 1-based. */
  fromLine: number;
  /** Negative: no limit. */
  maxRowCount: number;
  /** Maximum number of invalid records to skip. Absent: the first invalid record is an error. */
  maxSkipped?: number;
}

export interface FormatTasks {
  /** Parts are lists of rows. */
  readCsv: { input: { text: string; options: CsvOptions }; part: FormatJson[] };
  /** A sheet of a workbook; parts are lists of rows. */
  readSheet: { input: { content: Uint8Array | string; options: SheetOptions }; part: FormatJson[] };
  /**
   * A workbook with one sheet; the part is its bytes. `header` contains the column names;
   * `undefined` omits them. `rowsJson`: a list of lists of cells.
   */
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
  /** Text and metadata of a PDF document. `maxPages` 0: all pages. */
  readPdf: { input: { bytes: Uint8Array; password: string; maxPages: number; joinPages: boolean }; part: FormatJson };
  /** Text of a Word document. */
  readDocx: { input: { archive: Uint8Array }; part: FormatJson };
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
