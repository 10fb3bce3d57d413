import type { AddressInfo } from 'node:net';
import express from 'express';
import pg from 'pg';

/**
 * Lower bound for the latency of a webhook request: a bare Express route that inserts one row with
 * the body and returns its ID. Sends its port to the parent process.
 */
const pool = new pg.Pool({ connectionString: process.argv[2], max: 10 });
await pool.query('CREATE TABLE bare_calls (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, body jsonb NOT NULL)');
const insert = { name: 'insert', text: 'INSERT INTO bare_calls (body) VALUES ($1) RETURNING id' };

const app = express();
app.disable('etag');
app.post('/bare', express.json(), async (request, response) => {
  const { rows } = await pool.query({ ...insert, values: [request.body] });
  response.json(rows[0]);
});
const server = app.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
