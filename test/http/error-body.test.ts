import { describe, expect, it } from 'vitest';
import { messageFromBody, shorten } from '../../src/http/error-body.ts';

describe('messageFromBody', () => {
  // biome-ignore format: a table
  it.each([
    ['',                                                                    ''],
    ['  \n',                                                                ''],
    ['{"error":"Rate limit exceeded for upload."}',                         'Rate limit exceeded for upload'],
    ['{"error_code":"tier","message":"Not in your plan","bucket":"upload"}', 'Not in your plan'],
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
    ['\n  <html>',                                                          'a web page'],
    ['an <html>',                                                           'an <html>'],
    ['{"title":"Not found"}',                                               'Not found'],
    ['{"msg":"first","title":"second"}',                                    'first'],
    ['{"error":"second","message":"first"}',                                'first'],
    ['{"message":"","error":"the next that has text"}',                    'the next that has text'],
    ['{"message":5}',                                                       '{"message":5}'],
    ['{"error_code":"tier"}',                                               'error code tier'],
    ['{"error_code":7,"message":"a number is no code"}',                    'a number is no code'],
    ['{"loc":["assets",3,null,"blobPath"],"msg":"unknown"}',                'assets.3.blobPath: unknown'],
    ['{"loc":"assets","msg":"no list"}',                                    'no list'],
    ['["1","2","",{},"5","six is one too many"]',                           '1; 2; 5'],
    ['[]',                                                                  '[]'],
    ['[[[[[["deep"]]]]]]',                                                  'deep'],
    ['[[[[[[["too deep"]]]]]]]',                                            '[[[[[[["too deep"]]]]]]]'],
    ['"spaces \\n\\t inside.. "',                                           'spaces inside.'],
    ['"a.b"',                                                               'a.b'],
  ])('%j is %j', (body, expected) => {
    expect(messageFromBody(body)).toBe(expected);
  });
});

it('more is kept than is shown, but not everything', () => {
  expect(messageFromBody('x'.repeat(4_000))).toHaveLength(4_000);
  expect(messageFromBody('x'.repeat(4_001))).toHaveLength(4_000);
});

it('a long text is shortened for people', () => {
  expect(shorten('x'.repeat(300))).toBe('x'.repeat(300));
  expect(shorten('x'.repeat(301))).toBe(`${'x'.repeat(300)}…`);
});
