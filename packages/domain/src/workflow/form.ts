import type { RequestAuthentication } from './webhook.ts';

/**
 * A page with a form. All text is written by the author and may contain item data: escape it for
 * display, or sanitize it if it is HTML.
 */
export interface FormPage {
  title: string;
  /** HTML. */
  description: string;
  buttonLabel: string;
  fields: readonly FormField[];
  /** The author's style sheet. */
  css?: string;
}

interface NamedField {
  /** Key of the value in the item; unique within the page. */
  name: string;
}

interface LabeledField extends NamedField {
  label: string;
  required: boolean;
}

export interface TextField extends LabeledField {
  kind: 'text' | 'textarea' | 'password' | 'email' | 'number' | 'date';
  placeholder?: string;
  /** Initial value. */
  value?: string;
}

export interface ChoiceField extends LabeledField {
  kind: 'dropdown' | 'radio' | 'checkbox';
  options: readonly string[];
  /** Whether the value is a list. */
  multiple: boolean;
  /** Minimum and maximum number of selected values, if any are selected. */
  atLeast?: number;
  atMost?: number;
  /** Initial selection. */
  value?: string;
}

export interface FileField extends LabeledField {
  kind: 'file';
  multiple: boolean;
  /** Extensions (`.pdf`) and content types (`image/*`), in lower case; empty: any. */
  accept: readonly string[];
}

export interface HiddenField extends NamedField {
  kind: 'hidden';
  value: string;
}

export interface HtmlField {
  kind: 'html';
  html: string;
  /** Absent if it is not part of the item. */
  name?: string;
}

export type FormField = TextField | ChoiceField | FileField | HiddenField | HtmlField;

/** The page shown after a submission. If `text` is empty, a generic thank-you message is shown. */
export type FormEnding = { kind: 'text'; text?: string } | { kind: 'redirect'; url: string };

/**
 * `onReceived`: as soon as the submission is certain to be processed; `lastNode`: when the workflow
 * has ended; `responseNode`: when a node responds.
 */
export interface FormResponse {
  mode: 'onReceived' | 'lastNode' | 'responseNode';
  ending: FormEnding;
}

/** Starts an execution for each submission of the form at its path. */
export interface FormTrigger {
  kind: 'form';
  /** Method of a submission; the page is read with GET. */
  methods: readonly ['POST'];
  /** Segments joined by `/`. */
  path: string;
  authentication?: RequestAuthentication;
  /** Addresses and networks that may read the form; absent: all. */
  allowedAddresses?: readonly string[];
  /** Whether link previewers and crawlers do not get the form. */
  ignoresBots?: boolean;
  page: FormPage;
  response: FormResponse;
}

/** The form that an execution waits for. */
export interface ResumeForm {
  page: FormPage;
  response: FormResponse;
  /**
   * Whether it is the next page for the previous submitter; otherwise it is open to anyone with its
   * URL.
   */
  isNextPage: boolean;
}
