// Instances that are set up by a person, tell their callers little, or whose sessions are over at once.
import type { CallGroup, CallLine } from '../call.ts';
import type { Callers } from '../record.ts';
import { admin } from './beginnings.ts';

const nobody = { as: 'nobody' } as const;
const password = 'a long password';
const basic = `Basic ${Buffer.from(`first_admin:${password}`).toString('base64')}`;

export const metricsToken = 'a-token-for-figures';

/** Who calls an instance where people sign in with a name. */
export const strictCallers: Callers = {
  admin: { 'X-DreamFactory-Session-Token': '{{admin}}' },
  nobody: {},
  basic: { Authorization: basic },
};

/** The first start: no administrator yet, no console, and every setting that shows on the wire other than by default. */
export const firstStart: CallGroup[] = [
  {
    title: 'first start',
    calls: [
      ['GET /console.json', nobody],
      ['GET /status', nobody],
      ['GET /', nobody],
      ['GET /', { ...nobody, headers: { Accept: 'text/html' } }],
      ['GET /login', { ...nobody, headers: { Accept: 'text/html' } }],
      ['GET system/environment', nobody],
      ['GET /api/v2', nobody],
      ['GET /metrics', nobody],
      ['GET /metrics', { ...nobody, headers: { Authorization: 'Bearer wrong' } }],
      ['POST system/admin/session', { ...nobody, body: { username: 'first_admin', password } }],
      ['POST system/admin/setup', nobody],
      [
        'POST system/admin/setup',
        { ...nobody, body: { code: '{{setupCode}}', email: 'no mail', password, first_name: 'A', last_name: 'B' } },
      ],
      [
        'POST system/admin/setup',
        {
          ...nobody,
          body: {
            code: '{{setupCode}}',
            email: 'first_admin@example.com',
            password: 'short',
            first_name: 'A',
            last_name: 'B',
          },
        },
      ],
      [
        'POST system/admin/setup',
        {
          ...nobody,
          body: { code: 'WRONG', email: 'first_admin@example.com', password, first_name: 'A', last_name: 'B' },
        },
      ],
      ['GET system/admin/setup', nobody],
      [
        'POST system/admin/setup',
        {
          ...nobody,
          body: { code: '{{setupCode}}', email: 'first_admin@example.com', password, first_name: 'A', last_name: 'B' },
          status: 201,
          keep: { admin: 'session_token' },
        },
      ],
      [
        'POST system/admin/setup',
        {
          ...nobody,
          body: { code: '{{setupCode}}', email: 'second@example.com', password, first_name: 'A', last_name: 'B' },
        },
      ],
      ['GET /console.json', { ...nobody, keep: { console: 'api_key' } }],
      ['GET system/admin', { status: 200 }],
      'GET system/app',
      ['GET system/environment', { headers: { 'X-DreamFactory-API-Key': '{{console}}' } }],
      'GET system/admin/session',
    ],
  },
  {
    title: 'other settings',
    calls: [
      ['POST system/admin/session', { ...nobody, body: { email: 'first_admin@example.com', password } }],
      [
        'POST system/admin/session',
        {
          ...nobody,
          body: { username: 'first_admin@example.com', password, remember_me: true },
          status: 200,
          keep: { forever: 'session_token' },
        },
      ],
      [
        'PUT system/admin/session',
        { ...nobody, headers: { 'X-DreamFactory-Session-Token': '{{forever}}' }, status: 200 },
      ],
      ['POST system/user', { body: { resource: [{ email: 'a@example.com', password: 'seven77' }] } }],
      [
        'POST system/user?fields=*',
        { body: { resource: [{ email: 'a@example.com', username: 'longer_name', password: 'eight888' }] } },
      ],
      ['POST system/custom', { body: { resource: [{ name: 'long', value: 'x'.repeat(3_000) }] } }],
      ['POST system/custom', { headers: { 'Transfer-Encoding': 'chunked' }, body: 'x'.repeat(5_000) }],
      'GET world/_table/countries',
      'GET db/_table',
      'GET system/user?limit=100000&include_count=true',
      [
        'GET system/environment',
        {
          ...nobody,
          headers: {
            'X-Forwarded-For': '192.0.2.1, 10.0.0.1',
            'X-Forwarded-Proto': 'https',
            'X-Forwarded-Host': 'proxy.example.com',
          },
        },
      ],
      [
        'GET system/environment',
        {
          headers: {
            'X-Forwarded-For': '192.0.2.1, 10.0.0.1',
            'X-Forwarded-Proto': 'https',
            'X-Forwarded-Host': 'proxy.example.com',
          },
        },
      ],
      [
        'GET /metrics',
        { ...nobody, headers: { Authorization: `Bearer ${metricsToken}` }, status: 200, only: 'figures' },
      ],
      ['GET /status', nobody],
    ],
  },
];

/** Every token is out of date when it arrives. */
export const expired: CallGroup[] = [
  {
    title: 'expired sessions',
    calls: [
      ['POST system/admin/session', { ...nobody, body: { ...admin }, status: 200, keep: { admin: 'session_token' } }],
      ...[
        'GET system/admin/session',
        'GET system/environment',
        'GET system/role',
        'GET user/profile',
        'DELETE system/admin/session',
        'POST system/admin/password',
        'GET /api/v2',
        'GET none',
      ].map((line): CallLine => line),
      ['POST system/admin/session', { body: { email: admin.email, password: 'wrong' } }],
      ['PUT user/session', { status: 200, keep: { renewed: 'session_token' } }],
      ['PUT system/admin/session', {}],
      ['PUT system/admin/session', {}],
      ['GET system/admin/session', { ...nobody, headers: { 'X-DreamFactory-Session-Token': '{{renewed}}' } }],
    ],
  },
];
