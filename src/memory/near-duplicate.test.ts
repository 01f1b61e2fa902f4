import { describe, expect, it } from 'vitest';
import { Facts } from './near-duplicate.js';

const isNearDuplicate = (left: string, right: string) => new Facts([left]).find(right) >= 0;

describe('near-duplicates', () => {
  it.each([
    ['We use PostgreSQL 16 in production.', 'Production uses PostgreSQL 16'],
    ['Chose PostgreSQL 16 for production', 'The production database is Postgres 16.'],
    ['Decided: retries stop after 5 attempts', 'Retries stop after 5 attempts.'],
    ['Tokens expire after 15 minutes', 'The tokens expire after 15 minutes'],
    ['Tokens now expire after fifteen minutes', 'Tokens expire after 15 minutes, since the gateway does'],
    [
      'Stop retries after five attempts; the gateway bans us otherwise.',
      'We stop retrying after 5 attempts since the gateway would ban us otherwise.',
    ],
  ])('are one fact in other words: %s = %s [ME-10/7]', (left, right) => {
    expect(isNearDuplicate(left, right)).toBe(true);
    expect(isNearDuplicate(right, left)).toBe(true);
  });

  it.each([
    ['Retries stop after 5 attempts', 'Retries stop after 3 attempts'],
    ['Retries stop after five attempts', 'Retries stop after three attempts'],
    ['Retries stop after five attempts', 'Retries stop after attempts'],
    ['Use the cache in module payments', 'Use the cache in module billing'],
    ['Use Redis for sessions', 'Do not use Redis for sessions'],
    ['Chose `retry_seconds` as the name', 'Chose `retry_minutes` as the name'],
    ['Decision 1 about pagination', 'Decision 2 about pagination'],
    ['Tokens expire', 'Tokens expire after the user signs out on any other device of theirs'],
    ['Add an index to orders', 'Add an index to orders and users'],
    ['The cache holds orders and payments', 'The cache holds orders, payments and the users'],
    ['We moved the cache to Berlin', 'We moved the database and the cache to Berlin'],
    ['', ''],
  ])('are not two facts: %s / %s', (left, right) => {
    expect(isNearDuplicate(left, right)).toBe(false);
    expect(isNearDuplicate(right, left)).toBe(false);
  });
});
