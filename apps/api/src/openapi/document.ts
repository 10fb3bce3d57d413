import type { JsonObject, JsonValue } from '@sluice/domain';

/** The part of OpenAPI 3.1 that the document of this API uses. */
export interface OpenApiDocument {
  openapi: string;
  info: { title: string; version: string; summary: string; description: string; license: { name: string; identifier: string } };
  servers: { url: string; description: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Partial<Record<string, Operation>>>;
  components: Components;
}

export interface Components {
  schemas: Record<string, JsonObject>;
  responses: Record<string, ResponseObject>;
  headers: Record<string, HeaderObject>;
  securitySchemes: Record<string, JsonObject>;
}

export interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  /** An `EndpointScope`. */
  'x-required-scope'?: string;
  security: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: RequestBody;
  responses: Record<string, ResponseObject | Reference>;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: JsonObject;
  example?: JsonValue;
}

interface RequestBody {
  required: boolean;
  content: Record<string, MediaType>;
}

export interface ResponseObject {
  description: string;
  headers: Record<string, HeaderObject | Reference>;
  content?: Record<string, MediaType>;
}

export interface HeaderObject {
  description: string;
  schema: JsonObject;
  example?: JsonValue;
}

export interface MediaType {
  schema: JsonObject;
  example?: JsonValue;
  examples?: Record<string, { value: JsonValue }>;
  /** Kind of server-sent event → schema of its data. */
  'x-events'?: Record<string, JsonObject>;
}

export interface Reference {
  $ref: string;
}
