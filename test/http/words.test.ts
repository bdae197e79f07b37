import { describe, expect, it } from 'vitest';
import { shorten, wordsOf } from '../../src/http/words.ts';

describe('wordsOf', () => {
  // biome-ignore format: a table
  it.each([
    ['',                                                                    ''],
    ['  \n',                                                                ''],
    ['{"error":"Rate limit exceeded for upload."}',                         'Rate limit exceeded for upload'],
    ['{"error_code":"tier","message":"Not in your plan","bucket":"upload"}', 'Not in your plan (tier)'],
    ['{"detail":"No such file"}',                                           'No such file'],
    ['{"detail":[{"loc":["body","assets"],"msg":"field required"},{"msg":"too long"}]}', 'body.assets: field required; too long'],
    ['{"errors":["one","two"]}',                                            'one; two'],
    ['{"error":{"message":"nested"}}',                                      'nested'],
    ['{"problem":"unheard of"}',                                            '{"problem":"unheard of"}'],
    ['"just text"',                                                         'just text'],
    ['null',                                                                'null'],
    ['plain\n  text.',                                                      'plain text'],
    ['<!DOCTYPE html><html><body>502 Bad Gateway</body></html>',            'a web page'],
    ['<html>',                                                              'a web page'],
  ])('%j is %j', (body, expected) => {
    expect(wordsOf(body)).toBe(expected);
  });
});

it('a long text is shortened for people', () => {
  expect(shorten('x'.repeat(300))).toBe('x'.repeat(300));
  expect(shorten('x'.repeat(301))).toBe(`${'x'.repeat(300)}…`);
});
