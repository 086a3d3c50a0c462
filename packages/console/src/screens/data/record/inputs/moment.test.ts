import { describe, expect, it } from 'vitest';
import { momentKind, parseMoment, withDate, withTime } from './moment.ts';

describe('the kind of a moment', () => {
  it.each([
    ['date', 'date'],
    ['time', 'time'],
    ['timetz', 'time'],
    ['datetime', 'datetime'],
    ['datetimetz', 'datetime'],
    ['timestamp', 'datetime'],
    ['timestamptz', 'datetime'],
    ['timestamp_on_create', null],
    ['string', null],
  ] as const)('%s: %s', (type, kind) => expect(momentKind(type)).toBe(kind));
});

describe('the parts of a text', () => {
  it.each([
    ['2018-11-20', { date: '2018-11-20', time: '', fraction: '', zone: '' }],
    ['10:00', { date: '', time: '10:00', fraction: '', zone: '' }],
    ['2018-11-20 10:00:00.123456+00', { date: '2018-11-20', time: '10:00:00', fraction: '123456', zone: '+00' }],
    ['2018-11-20T10:00:00Z', { date: '2018-11-20', between: 'T', time: '10:00:00', zone: 'Z' }],
    ['10:00:00 -03:30', { time: '10:00:00', zone: ' -03:30' }],
  ])('%s', (text, moment) => expect(parseMoment(text)).toMatchObject(moment));

  it.each(['infinity', '30:00:00 hours', '{user.id}', '0044-03-15 BC'])('%s has no parts', (text) =>
    expect(parseMoment(text)).toBeNull(),
  );
});

describe('picking', () => {
  it.each([
    ['a date', withDate('2018-11-20', 'date', '2020-01-02'), '2020-01-02'],
    ['a date where there was none', withDate('', 'datetime', '2020-01-02'), '2020-01-02 00:00:00'],
    [
      'a date leaves time, fraction and zone',
      withDate('2018-11-20T10:00:00.5+02', 'datetime', '2020-01-02'),
      '2020-01-02T10:00:00.5+02',
    ],
    [
      'a time keeps zone and exactness',
      withTime('2018-11-20 10:29:59.250+00', 'datetime', '11:00'),
      '2018-11-20 11:00:00.000+00',
    ],
    ['a time of its own', withTime('10:00:00+02', 'time', '11:30:15'), '11:30:15+02'],
    ['a time where there was none', withTime('', 'time', '11:30'), '11:30:00'],
  ])('%s', (_what, made, expected) => expect(made).toBe(expected));
});
