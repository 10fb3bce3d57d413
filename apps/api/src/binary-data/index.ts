import type { Route } from '../http/define-route.ts';
import { getBinaryData } from './get-binary-data.ts';

export const binaryDataRoutes: readonly Route[] = [getBinaryData];
