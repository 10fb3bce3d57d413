import type { CallAuthentication } from './webhook.ts';

/**
 * A page with a form. All texts are the author's, and may hold what items said: whoever shows them escapes them, or sanitizes those that are HTML.
 */
export interface FormPage {
  title: string;
  /** HTML. */
  description: string;
  buttonLabel: string;
  fields: readonly FormField[];
  /** A style sheet of the author's. */
  css?: string;
}

interface NamedField {
  /** What the value is called in the item. Unlike those of all other fields of the page. */
  name: string;
}

interface LabeledField extends NamedField {
  label: string;
  required: boolean;
}

export interface TextField extends LabeledField {
  kind: 'text' | 'textarea' | 'password' | 'email' | 'number' | 'date';
  placeholder?: string;
  /** What it is filled with at first. */
  value?: string;
}

export interface ChoiceField extends LabeledField {
  kind: 'dropdown' | 'radio' | 'checkbox';
  options: readonly string[];
  /** Whether the value is a list. */
  multiple: boolean;
  /** How many have to be chosen at least, and may be at most, where something is. */
  atLeast?: number;
  atMost?: number;
  /** What is chosen at first. */
  value?: string;
}

export interface FileField extends LabeledField {
  kind: 'file';
  multiple: boolean;
  /** Endings (`.pdf`) and content types (`image/*`), in lower case; empty: all. */
  accept: readonly string[];
}

export interface HiddenField extends NamedField {
  kind: 'hidden';
  value: string;
}

export interface HtmlField {
  kind: 'html';
  html: string;
  /** Absent: the item does not have it. */
  name?: string;
}

export type FormField = TextField | ChoiceField | FileField | HiddenField | HtmlField;

/** What users see who have sent a form. `text` without one: a general word of thanks. */
export type FormEnding = { kind: 'text'; text?: string } | { kind: 'redirect'; url: string };

/** `onReceived`: once it is sure to be processed; `lastNode`: when the workflow has ended; `responseNode`: what a node says. */
export interface FormResponse {
  mode: 'onReceived' | 'lastNode' | 'responseNode';
  ending: FormEnding;
}

/** Starts an execution each time that somebody sends the form at its path. */
export interface FormTrigger {
  kind: 'form';
  /** What sends it; whoever sees it calls with GET. */
  methods: readonly ['POST'];
  /** Segments joined by `/`. */
  path: string;
  authentication?: CallAuthentication;
  /** Addresses and networks that may see the form; absent: all. */
  allowedAddresses?: readonly string[];
  /** Programs that look at links (previews, crawlers) do not see it. */
  ignoresBots?: boolean;
  page: FormPage;
  response: FormResponse;
}

/** The form that an execution waits for. */
export interface ResumeForm {
  page: FormPage;
  response: FormResponse;
  /** Whether it is the next page for whoever has sent the form before; else it is for whoever has its address. */
  isNextPage: boolean;
}
