import { createRequire as __WEBPACK_EXTERNAL_createRequire } from "module";
/******/ var __webpack_modules__ = ({

/***/ 42613:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("assert");

/***/ }),

/***/ 20181:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("buffer");

/***/ }),

/***/ 35317:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("child_process");

/***/ }),

/***/ 49140:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("constants");

/***/ }),

/***/ 76982:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("crypto");

/***/ }),

/***/ 24434:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("events");

/***/ }),

/***/ 79896:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("fs");

/***/ }),

/***/ 91943:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("fs/promises");

/***/ }),

/***/ 58611:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("http");

/***/ }),

/***/ 65692:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("https");

/***/ }),

/***/ 69278:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("net");

/***/ }),

/***/ 34589:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:assert");

/***/ }),

/***/ 16698:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:async_hooks");

/***/ }),

/***/ 4573:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:buffer");

/***/ }),

/***/ 37540:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:console");

/***/ }),

/***/ 77598:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:crypto");

/***/ }),

/***/ 53053:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:diagnostics_channel");

/***/ }),

/***/ 40610:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:dns");

/***/ }),

/***/ 78474:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:events");

/***/ }),

/***/ 73024:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:fs");

/***/ }),

/***/ 51455:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:fs/promises");

/***/ }),

/***/ 37067:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:http");

/***/ }),

/***/ 32467:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:http2");

/***/ }),

/***/ 44708:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:https");

/***/ }),

/***/ 98995:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:module");

/***/ }),

/***/ 77030:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:net");

/***/ }),

/***/ 48161:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:os");

/***/ }),

/***/ 76760:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:path");

/***/ }),

/***/ 643:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:perf_hooks");

/***/ }),

/***/ 1708:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:process");

/***/ }),

/***/ 41792:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:querystring");

/***/ }),

/***/ 80099:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:sqlite");

/***/ }),

/***/ 57075:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:stream");

/***/ }),

/***/ 37830:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:stream/web");

/***/ }),

/***/ 46193:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:string_decoder");

/***/ }),

/***/ 87997:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:timers");

/***/ }),

/***/ 41692:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:tls");

/***/ }),

/***/ 73136:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:url");

/***/ }),

/***/ 57975:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:util");

/***/ }),

/***/ 73429:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:util/types");

/***/ }),

/***/ 75919:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:worker_threads");

/***/ }),

/***/ 38522:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:zlib");

/***/ }),

/***/ 70857:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("os");

/***/ }),

/***/ 16928:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("path");

/***/ }),

/***/ 932:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("process");

/***/ }),

/***/ 2203:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("stream");

/***/ }),

/***/ 13193:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("string_decoder");

/***/ }),

/***/ 53557:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("timers");

/***/ }),

/***/ 64756:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("tls");

/***/ }),

/***/ 52018:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("tty");

/***/ }),

/***/ 87016:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("url");

/***/ }),

/***/ 39023:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("util");

/***/ }),

/***/ 43106:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("zlib");

/***/ }),

/***/ 90800:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   BP: () => (/* binding */ logLine),
/* harmony export */   CS: () => (/* binding */ prose),
/* harmony export */   _n: () => (/* binding */ xml),
/* harmony export */   gB: () => (/* binding */ visibleLines),
/* harmony export */   n8: () => (/* binding */ htmlProse),
/* harmony export */   qy: () => (/* binding */ html),
/* harmony export */   v7: () => (/* binding */ safeHref),
/* harmony export */   wD: () => (/* binding */ markdown),
/* harmony export */   zQ: () => (/* binding */ markdownLines)
/* harmony export */ });
/**
 * The one place where text from outside (file names, the service's words, waivers) becomes data for a target. Nothing
 * else in this folder may put such text into an output.
 */
/** Controls, line ends that editors hide, bidi controls, tag characters: all that can make a text look like another. */
const DECEPTIVE = /(?![\u00ad\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const SHORT_ESCAPES = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
function asEscape(character) {
    return SHORT_ESCAPES[character] ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
/** Everything on one line, and everything that could hide or reorder text shown as an escape. */
function visible(text) {
    return text.toWellFormed().replace(DECEPTIVE, asEscape);
}
/** Keeps line ends and tabs, for targets in which a text may have several lines. */
function visibleLines(text) {
    return splitLines(text)
        .map((line) => line.split('\t').map(visible).join('\t'))
        .join('\n');
}
function splitLines(text) {
    return text.split(/\r\n|[\n\r\u2028\u2029]/);
}
/**
 * One line for the log. The runner trims a line before it looks for a command at its start, and takes the old form
 * (two hashes and a bracket) anywhere in it.
 */
function logLine(text) {
    return visible(text)
        .replace(/^(\s*):/u, '$1\\u{3a}')
        .replaceAll('##[', '#\\u{23}[');
}
/**
 * Numeric entities stand for the character in Markdown and in HTML blocks alike, and can never open a structure. What
 * GitHub looks for in the finished text (mentions, issue references, addresses, emoji names) is broken up by an
 * invisible space instead, since there an entity is the character again.
 */
const BREAK = '&#8203;';
const MARKDOWN_SYNTAX = /[&<>"`*_[\]|~\\^$#@]|:(?=\S)|(?<=www)\.|(?<=GH)-(?=\d)/giu;
/** A list, heading underline or rule is only read at the start of a block. */
const BLOCK_START = /^(?:[-+=]|\d+[.)])/u;
function markdownEntity(character) {
    const entity = `&#${character.codePointAt(0)};`;
    switch (character) {
        case '@':
        case '#':
        case ':':
            return entity + BREAK;
        case '.':
        case '-':
            return BREAK + entity;
        default:
            return entity;
    }
}
/** One line of plain text in Markdown: in a paragraph, a list item, a table cell or an HTML element such as summary. */
function markdown(text) {
    const line = splitLines(text)
        .map((part) => part.replaceAll('\t', ' '))
        .join(' ');
    return visible(line)
        .trim()
        .replace(MARKDOWN_SYNTAX, markdownEntity)
        .replace(BLOCK_START, (start) => start.slice(0, -1) + `&#${start.codePointAt(start.length - 1)};`);
}
/**
 * A sentence of ours, in which a name may stand in backticks and words from outside may be quoted. What is inside is
 * escaped like everything else, so all that backticks can do is to look like code.
 */
function prose(text) {
    return markdown(text).replace(/&#96;((?:(?!&#96;).)+)&#96;/gu, '<code>$1</code>');
}
/** Plain text in Markdown that keeps its paragraphs, for the same places. */
function markdownLines(text) {
    return splitLines(text)
        .map(markdown)
        .join('<br>')
        .replace(/(?:<br>){3,}/g, '<br><br>');
}
const HTML_ENTITIES = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
};
function entities(text) {
    return text.replace(/[&<>"']/g, (character) => HTML_ENTITIES[character] ?? '');
}
/** Text or a quoted attribute value in HTML. */
function html(text) {
    return entities(visibleLines(text));
}
/** As `prose`, in HTML. */
function htmlProse(text) {
    return html(text).replace(/`([^`]+)`/gu, '<code>$1</code>');
}
/** Text or a quoted attribute value in XML 1.0, which has no way at all to hold most control characters. */
function xml(text) {
    return entities(text.replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '')).replace(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}
const LONGEST_URL = 2_048;
/**
 * An address that may be linked: http or https, and no user name before the host, which is how one site poses as
 * another. The result holds nothing that ends a table cell or an attribute, but is still to be given to `html`.
 */
function safeHref(url) {
    if (url.length > LONGEST_URL || !/^https?:\/\//i.test(url) || !URL.canParse(url))
        return undefined;
    const parsed = new URL(url);
    if (parsed.username !== '' || parsed.password !== '')
        return undefined;
    return parsed.href.replace(/["'`|\\^{}<>]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
}


/***/ }),

/***/ 18328:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   L7: () => (/* binding */ replaceArtifact),
/* harmony export */   mz: () => (/* binding */ uploadArtifact),
/* harmony export */   n0: () => (/* binding */ uploadPage)
/* harmony export */ });
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(76760);

/** The client's own patience with storage that has stopped answering is five minutes, and a run uploads up to four times. */
const STALL_MS = 30_000;
/** Where nothing answers at all, the client would try five times, three minutes each. */
const LONGEST_UPLOAD_MS = 120_000;
/** Loaded when first needed: it costs a fifth of a second. */
async function loadClient() {
    process.env['ACTIONS_ARTIFACT_UPLOAD_TIMEOUT_MS'] ??= String(STALL_MS);
    const { DefaultArtifactClient } = await Promise.all(/* import() */[__nccwpck_require__.e(752), __nccwpck_require__.e(942), __nccwpck_require__.e(351), __nccwpck_require__.e(659), __nccwpck_require__.e(830), __nccwpck_require__.e(645)]).then(__nccwpck_require__.bind(__nccwpck_require__, 9645));
    return new DefaultArtifactClient();
}
/** Uploads files as one artifact of this run. */
async function uploadArtifact(name, files, retentionDays) {
    await upload(name, files, retentionDays === undefined ? {} : { retentionDays });
}
/** As `uploadArtifact`, where an upload that was broken off may hold the name. */
async function replaceArtifact(name, files, retentionDays) {
    try {
        await uploadArtifact(name, files, retentionDays);
    }
    catch (error) {
        if (!(error instanceof Error) || !/\(409\)|already exists/.test(error.message))
            throw error;
        const client = await loadClient();
        await client.deleteArtifact(name);
        await uploadArtifact(name, files, retentionDays);
    }
}
/**
 * Uploads one file that a browser can show, under its own name and unpacked. A service that does not know such artifacts
 * has it in an archive already, so nothing is lost without it.
 */
async function uploadPage(file, retentionDays) {
    try {
        await upload(node_path__WEBPACK_IMPORTED_MODULE_0__.basename(file), [file], {
            ...(retentionDays !== undefined && { retentionDays }),
            skipArchive: true,
        });
    }
    catch {
        return;
    }
}
async function upload(name, files, options) {
    const client = await loadClient();
    const { promise: tooLate, reject } = Promise.withResolvers();
    const timer = setTimeout(() => reject(new Error(`GitHub did not take the artifact within ${LONGEST_UPLOAD_MS / 1000} s`)), LONGEST_UPLOAD_MS);
    try {
        const [first = ''] = files;
        // What is still under way ends with the process.
        await Promise.race([client.uploadArtifact(name, [...files], node_path__WEBPACK_IMPORTED_MODULE_0__.dirname(first), options), tooLate]);
    }
    finally {
        clearTimeout(timer);
    }
}


/***/ }),

/***/ 7934:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {


// EXPORTS
__nccwpck_require__.d(__webpack_exports__, {
  j: () => (/* binding */ createRunner),
  d: () => (/* binding */ savedForPost)
});

// EXTERNAL MODULE: ./lib/escape.js
var lib_escape = __nccwpck_require__(90800);
// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __nccwpck_require__(77598);
// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __nccwpck_require__(73024);
// EXTERNAL MODULE: external "node:os"
var external_node_os_ = __nccwpck_require__(48161);
;// CONCATENATED MODULE: ./lib/github/commands.js



/**
 * As much of the runner's language as a run needs before it has anything to tell: `@actions/core` speaks all of it, but
 * brings an HTTP client along whose loading would be half of our start. A test compares the two.
 */
function printCommand(name, message) {
    printLine(`::${name}::${escapeData(message)}`);
}
function printLine(text) {
    process.stdout.write(text + external_node_os_.EOL);
}
/** Kept by the runner for the post step, even where this process is killed. */
function saveState(name, value) {
    const file = process.env['GITHUB_STATE'];
    // Unguessable, so that no value can end itself early and begin another.
    const delimiter = `ghadelimiter_${(0,external_node_crypto_.randomUUID)()}`;
    if (file)
        (0,external_node_fs_.appendFileSync)(file, `${name}<<${delimiter}${external_node_os_.EOL}${value}${external_node_os_.EOL}${delimiter}${external_node_os_.EOL}`);
}
function escapeData(text) {
    return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

;// CONCATENATED MODULE: ./lib/github/runner.js


const POST_STATE = 'pending-upload';
const MAIN_STARTED = 'main-started';
/** Undefined in the main step; in the post step, what the main step saved for it. */
function savedForPost() {
    const isPost = savedState(MAIN_STARTED) !== '';
    saveState(MAIN_STARTED, 'true');
    return isPost ? savedState(POST_STATE) : undefined;
}
function savedState(name) {
    return process.env[`STATE_${name}`] ?? '';
}
/** The real one. Texts are made harmless here, in one place, so that no caller can forget it. */
function createRunner() {
    const spent = { error: 0, warning: 0, notice: 0 };
    const log = {
        info: (text) => printLine((0,lib_escape/* logLine */.BP)(text)),
        notice: (text) => {
            spent.notice += 1;
            printCommand('notice', (0,lib_escape/* logLine */.BP)(text));
        },
        warning: (text) => {
            spent.warning += 1;
            printCommand('warning', (0,lib_escape/* logLine */.BP)(text));
        },
        group: async (title, work) => {
            printCommand('group', (0,lib_escape/* logLine */.BP)(title));
            try {
                return await work();
            }
            finally {
                printCommand('endgroup', '');
            }
        },
    };
    return {
        log,
        spent,
        input: (name) => (process.env[`INPUT_${name.toUpperCase()}`] ?? '').trim(),
        mask: (secret) => {
            if (secret)
                printCommand('add-mask', secret);
        },
        hasArtifacts: Boolean(process.env['ACTIONS_RUNTIME_TOKEN'] && process.env['ACTIONS_RESULTS_URL']),
        saveForPost: (value) => saveState(POST_STATE, value),
        open: openBoard,
    };
}
async function openBoard() {
    const core = await Promise.all(/* import() */[__nccwpck_require__.e(752), __nccwpck_require__.e(942), __nccwpck_require__.e(659)]).then(__nccwpck_require__.bind(__nccwpck_require__, 91659));
    const printers = { error: core.error, warning: core.warning, notice: core.notice };
    return {
        annotate: ({ level, message, path, line, title }) => {
            const place = { ...(path !== undefined && { file: path }), ...(line !== undefined && { startLine: line }) };
            printers[level](message, { title, ...place });
        },
        output: (name, value) => core.setOutput(name, value),
        writeSummary: async (markdown) => {
            await core.summary.addRaw(markdown).write();
        },
        fail: (message) => core.setFailed((0,lib_escape/* logLine */.BP)(message)),
    };
}


/***/ }),

/***/ 92990:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   i: () => (/* binding */ createNodeTransport),
/* harmony export */   t: () => (/* binding */ KEEP_ALIVE_MS)
/* harmony export */ });
/* harmony import */ var node_http__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(37067);
/* harmony import */ var node_https__WEBPACK_IMPORTED_MODULE_1__ = __nccwpck_require__(44708);


/** Shorter than the idle timeout of the usual load balancers, so that it is us who close first. */
const KEEP_ALIVE_MS = 4_000;
/** Straight to the other side, over Node's own client: it loads fast, and what is written goes to the socket uncopied. */
function createNodeTransport() {
    const options = { keepAlive: true, timeout: KEEP_ALIVE_MS };
    const agents = { http: new node_http__WEBPACK_IMPORTED_MODULE_0__.Agent(options), https: new node_https__WEBPACK_IMPORTED_MODULE_1__.Agent(options) };
    return {
        async begin(request, watch, signal) {
            const url = new URL(request.url);
            const scheme = url.protocol === 'https:' ? 'https' : 'http';
            const { method, headers } = request;
            const agent = request.freshConnection ? false : agents[scheme];
            const outgoing = { http: node_http__WEBPACK_IMPORTED_MODULE_0__, https: node_https__WEBPACK_IMPORTED_MODULE_1__ }[scheme].request(url, { method, headers, agent, signal });
            const incoming = await new Promise((resolve, reject) => {
                outgoing.on('socket', (socket) => watchConnecting(socket, scheme, watch));
                outgoing.on('response', resolve);
                // Also after the answer began: what breaks then, its body tells.
                outgoing.on('error', reject);
                send(outgoing, request.body, watch).catch((error) => {
                    outgoing.destroy();
                    reject(error);
                });
            });
            const end = () => {
                if (!outgoing.writableFinished)
                    outgoing.destroy();
            };
            return { status: incoming.statusCode ?? 0, headers: incoming.headers, body: incoming, end };
        },
        async close() {
            agents.http.destroy();
            agents.https.destroy();
        },
    };
}
function watchConnecting(socket, scheme, watch) {
    if (!socket.connecting)
        return;
    watch.connecting();
    socket.once(scheme === 'https' ? 'secureConnect' : 'connect', () => watch.connected());
}
/** Waits for each piece to be taken before it asks for the next: that is the backpressure, and frees the piece's memory. */
async function send(outgoing, body, watch) {
    if (typeof body !== 'object') {
        outgoing.end(body);
        return;
    }
    for await (const piece of body.pieces) {
        await new Promise((resolve, reject) => {
            outgoing.write(piece, (error) => (error ? reject(error) : resolve()));
        });
        watch.sent();
    }
    outgoing.end();
    watch.sentAll();
}


/***/ }),

/***/ 71364:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   _: () => (/* binding */ Interruption)
/* harmony export */ });
/** The runner told us to stop: a cancelled run, or the time limit of the job. */
class Interruption extends Error {
    name = 'Interruption';
    signalName;
    constructor(signalName) {
        super(`stopped by ${signalName}`);
        this.signalName = signalName;
    }
}


/***/ }),

/***/ 80342:
/***/ ((__webpack_module__, __unused_webpack___webpack_exports__, __nccwpck_require__) => {

__nccwpck_require__.a(__webpack_module__, async (__webpack_handle_async_dependencies__, __webpack_async_result__) => { try {
/* harmony import */ var _github_runner_js__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(7934);
/* harmony import */ var _interruption_js__WEBPACK_IMPORTED_MODULE_1__ = __nccwpck_require__(71364);
/* harmony import */ var _run_js__WEBPACK_IMPORTED_MODULE_2__ = __nccwpck_require__(76348);
/* harmony import */ var _state_pending_js__WEBPACK_IMPORTED_MODULE_3__ = __nccwpck_require__(79906);




const runner = (0,_github_runner_js__WEBPACK_IMPORTED_MODULE_0__/* .createRunner */ .j)();
const saved = (0,_github_runner_js__WEBPACK_IMPORTED_MODULE_0__/* .savedForPost */ .d)();
if (saved === undefined) {
    const controller = new AbortController();
    for (const name of ['SIGINT', 'SIGTERM']) {
        process.on(name, () => controller.abort(new _interruption_js__WEBPACK_IMPORTED_MODULE_1__/* .Interruption */ ._(name)));
    }
    await (0,_run_js__WEBPACK_IMPORTED_MODULE_2__/* .run */ .e)(process.env, runner, controller.signal);
}
else {
    await (0,_state_pending_js__WEBPACK_IMPORTED_MODULE_3__/* .uploadPending */ .P)(saved, runner.log);
}
// A connection that hangs must not keep a step alive that has told its verdict.
process.stdout.write('', () => process.exit());

__webpack_async_result__();
} catch(e) { __webpack_async_result__(e); } }, 1);

/***/ }),

/***/ 76348:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {


// EXPORTS
__nccwpck_require__.d(__webpack_exports__, {
  e: () => (/* binding */ run)
});

;// CONCATENATED MODULE: ./lib/cause.js
/** Ends the run early. Everything thrown on purpose is one of these; anything else is a defect of ours. */
class GateError extends Error {
    name = 'GateError';
    causes;
    constructor(causes, options) {
        const list = 'reason' in causes ? [causes] : causes;
        super(list.map((cause) => (cause.path ? `${cause.path}: ${cause.message}` : cause.message)).join('\n'), options);
        this.causes = list;
    }
}

// EXTERNAL MODULE: ./lib/interruption.js
var interruption = __nccwpck_require__(71364);
;// CONCATENATED MODULE: ./lib/service/advice.js
const LET_MERGES_THROUGH = 'To let merges through in an outage, set `on-service-error: warn`.';
function advise(doing, failure) {
    switch (failure.kind) {
        case 'connection':
            return { reason: 'service', fix: adviseOnConnection(failure.error.fix) };
        case 'unreadable':
            return {
                reason: 'results',
                fix: failure.isJson
                    ? 'The answer is not what the contract of the service says. Check that `base-url` is the compliance service; if it is, tell the service.'
                    : 'Something else than the compliance service answered: a login page, a proxy or another site. Check `base-url` and the network, then re-run the job.',
            };
        case 'status':
            return failure.status >= 300 && failure.status < 400
                ? { reason: 'bad-input', fix: adviseOnRedirect(failure.location) }
                : adviseOnStatus(doing, failure.status);
    }
}
function adviseOnConnection(fix) {
    return `${fix ?? 'Check `base-url` and the network (proxy, firewall), then re-run the job.'} ${LET_MERGES_THROUGH}`;
}
function adviseOnRedirect(location) {
    const target = location === undefined ? undefined : URL.parse(location)?.origin;
    return `The service redirects${target ? ` to ${target}` : ''}, and a redirect is never followed with the API key. Set \`base-url\` to the service's final address.`;
}
function adviseOnStatus(doing, status) {
    if (status >= 500 || status === 408) {
        return { reason: 'service', fix: `Re-run the job when the service is well again. ${LET_MERGES_THROUGH}` };
    }
    switch (status) {
        case 400:
            return badRequest(doing);
        case 401:
            return {
                reason: 'auth',
                fix: 'Check the secret behind `api-key`: it must be a current key of this workspace at this `base-url`. A key that was revoked or belongs to another environment is refused like this.',
            };
        case 402:
            return {
                reason: 'plan',
                fix: "The workspace's plan does not include the service's integrations API. Ask whoever manages the account to add it; a re-run does not help.",
            };
        case 403:
            return { reason: 'refused', fix: forbidden(doing) };
        case 404:
            return notFound(doing);
        case 407:
            return {
                reason: 'bad-input',
                fix: 'A proxy on the way wants credentials: put them into the address in `HTTPS_PROXY`, from a secret.',
            };
        case 413:
            return {
                reason: 'refused',
                fix: 'The file is over the size that the service takes for its kind (video 5 GB, audio 500 MB, document 100 MB, image 50 MB). Make it smaller, or exclude it with a `!` line in `files`.',
            };
        case 415:
            return {
                reason: 'refused',
                fix: 'The service does not take this type of file, or its bytes are not what its name says. Convert it to a common type (MP4, MP3, PNG, PDF), or exclude it with a `!` line in `files`.',
            };
        case 422:
            return { reason: 'refused', fix: unprocessable(doing) };
        case 429:
            return {
                reason: 'service',
                fix: 'The rate limit of this API key is used up for longer than this run can wait. Re-run later, lower `upload-concurrency`, or ask the service for a higher limit.',
            };
        default:
            return {
                reason: 'refused',
                fix: 'This answer is not in the contract of the service. Check that `base-url` is the compliance service; if it is, tell the service.',
            };
    }
}
function badRequest(doing) {
    if (doing === 'creating the submission') {
        return {
            reason: 'bad-input',
            fix: 'The service takes `simulation-delay-seconds` only with a sandbox key: remove it, or use a key that begins with `sk_test_`. If it is not set, look at what the service says.',
        };
    }
    return {
        reason: 'refused',
        fix: 'The service does not understand the request. Check that `base-url` is the compliance service; if it is, report it to the authors of this action with this message.',
    };
}
function forbidden(doing) {
    switch (doing) {
        case 'firing the sandbox event':
            return 'Only a sandbox key may fire events. Use a key that begins with `sk_test_`, or remove `sandbox-event`.';
        case 'creating the submission':
            return 'The service does not accept the path of an uploaded file. Re-run the job; if it stays, tell the service.';
        case 'uploading':
        case 'asking for an upload address':
            return 'The service does not accept the name of this file. Rename it, or exclude it with a `!` line in `files`.';
        default:
            return 'The API key may not do this. Check that it belongs to the workspace that holds the submission.';
    }
}
function notFound(doing) {
    switch (doing) {
        case 'uploading':
        case 'asking for an upload address':
            return { reason: 'bad-input', fix: 'There is no compliance service at `base-url`. Check the address.' };
        case 'creating the submission':
            return {
                reason: 'refused',
                fix: 'The service does not find what the submission refers to. Re-run the job; if it stays, check `base-url` and tell the service.',
            };
        case 'reading the issues':
        case 'reading the topics':
            return {
                reason: 'results',
                fix: 'The service says that the analysis is complete, but does not have its issues. Re-run the job; if it stays, tell the service.',
            };
        default:
            return {
                reason: 'results',
                fix: 'The submission is not in the workspace of this API key. If the key was exchanged for one of another workspace, re-run the job: the files are then sent anew.',
            };
    }
}
function unprocessable(doing) {
    switch (doing) {
        case 'creating the submission':
            return 'Look at what the service says about the request: `sidekick-ids` and `metadata` are yours, and it may limit the number of assets.';
        case 'uploading':
        case 'asking for an upload address':
            return 'The service does not accept this file as it was described. Rename or convert it, or exclude it with a `!` line in `files`.';
        default:
            return 'The service does not accept the request. Re-run the job; if it stays, tell the service.';
    }
}

;// CONCATENATED MODULE: ./lib/http/words.js
const LONGEST_WORDS = 300;
/** More than is shown: a file name further on may tell which file is meant. */
const LONGEST_KEPT = 4000;
/** The service's own words in an error's body, whose shape is not shown for most statuses. */
function wordsOf(body) {
    const trimmed = body.trim();
    if (trimmed === '')
        return '';
    if (/^<(!doctype|html)/i.test(trimmed))
        return 'a web page';
    const value = parse(trimmed);
    const words = value === undefined ? trimmed : textIn(value) || trimmed;
    return words.replaceAll(/\s+/g, ' ').trim().replace(/\.$/, '').slice(0, LONGEST_KEPT);
}
/** What fits into a message. */
function shorten(words) {
    return words.length > LONGEST_WORDS ? `${words.slice(0, LONGEST_WORDS)}…` : words;
}
function parse(text) {
    try {
        return JSON.parse(text);
    }
    catch {
        return undefined;
    }
}
/** Words are near the surface; what lies deeper is there to hurt. */
const DEEPEST = 5;
/** Usual places first; a list of validation problems becomes one line. */
function textIn(value, depth = 0) {
    if (typeof value === 'string')
        return value;
    if (typeof value !== 'object' || value === null || depth > DEEPEST)
        return '';
    const inside = (part) => textIn(part, depth + 1);
    if (Array.isArray(value))
        return value.slice(0, 5).map(inside).filter(Boolean).join('; ');
    const entries = new Map(Object.entries(value));
    const words = ['message', 'detail', 'error', 'msg', 'title', 'errors'].map((key) => inside(entries.get(key))).find(Boolean) ?? '';
    const loc = entries.get('loc');
    const field = Array.isArray(loc)
        ? `${loc.filter((part) => typeof part === 'string' || typeof part === 'number').join('.')}: `
        : '';
    const code = entries.get('error_code');
    return field + (typeof code === 'string' ? `${words} (${code})`.trim() : words);
}

;// CONCATENATED MODULE: ./lib/service/failure.js

/**
 * What happened, in words that fit behind "The service" or "The storage".
 *
 * @param meanwhile what it was asked for, such as " while uploading"
 */
function describe(failure, meanwhile = '') {
    switch (failure.kind) {
        case 'status':
            return `answered ${failure.status}${meanwhile}${failure.words && `: ${shorten(failure.words)}`}`;
        case 'connection':
            return `did not answer${meanwhile}: ${failure.error.what}`;
        case 'unreadable':
            return `gave an answer${meanwhile} that could not be read: ${failure.words}`;
    }
}
function isRateLimit(failure) {
    return failure.kind === 'status' && failure.status === 429;
}

;// CONCATENATED MODULE: ./lib/service/service-error.js


/** These blame the file that was uploaded, not the request. */
const ABOUT_ONE_FILE = [403, 413, 415, 422];
/** A request to the service that failed for good. */
class ServiceError extends Error {
    name = 'ServiceError';
    doing;
    failure;
    constructor(doing, failure) {
        const message = `The service ${describe(failure, ` while ${doing}`)}`;
        super(message, failure.kind === 'connection' ? { cause: failure.error } : {});
        this.doing = doing;
        this.failure = failure;
    }
    get status() {
        return this.failure.kind === 'status' ? this.failure.status : undefined;
    }
    /** True where one bad file explains the refusal, so that the other files can still be tried. */
    get isAboutOneFile() {
        const isUpload = this.doing === 'uploading' || this.doing === 'asking for an upload address';
        return isUpload && this.status !== undefined && ABOUT_ONE_FILE.includes(this.status);
    }
    /** True where the key or the plan was refused: nothing else will be answered either. */
    get endsRun() {
        return this.status === 401 || this.status === 402;
    }
    /** True where the service is not there, so that asking it for something else is in vain. */
    get isOutage() {
        const { failure } = this;
        return failure.kind === 'unreadable' ? !failure.isJson : explain(this).reason === 'service';
    }
}
/** What a person is told, and what to do about it. Only `service` and `timeout` can be opened by `on-service-error: warn`. */
function explain(error, path) {
    const { reason, fix } = advise(error.doing, error.failure);
    return { reason, message: `${error.message}.`, fix, ...(path !== undefined && { path }) };
}

;// CONCATENATED MODULE: ./lib/ending.js



/** Why runs end otherwise than with an analysis, in words for whoever reads the check. */
const DRY_RUN = {
    reason: 'dry-run',
    message: 'This was a dry run: nothing was sent, and nothing was judged.',
    fix: 'Remove `dry-run: true` to send the files and gate on what is found.',
};
/** What a dry run is for: to find this out before it costs a red check. */
function wouldBeRefused({ path, message, fix }) {
    return `The check would be red: ${path === undefined ? '' : `${path}: `}${message} ${fix}`;
}
/** Thrown or returned, as `if-no-files-found` asks for. */
function noFiles({ ifNoFilesFound }) {
    const cause = {
        reason: 'no-files',
        message: 'No file matches the input `files`, so nothing was checked.',
        fix: 'If there should be media here, check the patterns in `files`; if not, set `if-no-files-found: ignore`.',
    };
    if (ifNoFilesFound === 'error')
        throw new GateError(cause);
    return cause;
}
/** What a person is told about whatever was thrown. */
function causesOf(error, trail) {
    if (error instanceof GateError)
        return error.causes;
    if (error instanceof ServiceError)
        return [explain(error)];
    if (error instanceof interruption/* Interruption */._)
        return [interrupted(error, trail)];
    return [defect(error)];
}
/** Something that we did not foresee. */
function defect(error) {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return {
        reason: 'results',
        message: `The gate itself broke: ${detail}`,
        fix: 'This is a defect of the action, not of your files. Please report it with this message.',
    };
}
function interrupted({ signalName }, { submission, plan }) {
    const id = submission?.submissionId ?? plan?.await[0]?.submissionId;
    if (id === undefined) {
        return {
            reason: 'timeout',
            message: `The run was stopped (${signalName}) before anything was submitted.`,
            fix: 'Nothing was billed. Re-run the job.',
        };
    }
    return {
        reason: 'timeout',
        message: `The run was stopped (${signalName}) while submission ${id} was being analysed.`,
        fix: 'The analysis goes on at the service. Re-run the job: where state is kept, it goes on waiting for this submission and sends nothing again.',
    };
}
/** For a run in an outage that has nothing to send: everything is known, only not from today. */
function lastKnown(outage, { reuse }) {
    const dates = reuse.map(({ known }) => known.analysedAt).toSorted();
    const since = (dates[0] ?? '').slice(0, 10);
    return `${outage.message} No file has changed, so the last known verdict stands; the oldest analysis is of ${since}. Findings that were dismissed or re-opened since then are not seen.`;
}
function noBaseline({ baseBranch }) {
    return baseBranch === undefined
        ? '`fail-on-issues: new` compares with a base branch, and this run has none: every issue counts as new.'
        : `\`fail-on-issues: new\` found no analysis of the base branch ${baseBranch}, so every issue counts as new. Let this gate run on \`push\` to ${baseBranch} too.`;
}

// EXTERNAL MODULE: ./node_modules/valibot/dist/index.mjs
var dist = __nccwpck_require__(77934);
;// CONCATENATED MODULE: ./lib/github/answers.js

/** What we read of GitHub's answers; everything else is dropped. */
const ChangedFile = dist/* object */.Ikc({
    filename: dist/* string */.YjP(),
    /** added, removed, modified, renamed, copied, changed */
    status: dist/* string */.YjP(),
});
const Side = dist/* object */.Ikc({
    ref: dist/* string */.YjP(),
    sha: dist/* string */.YjP(),
    label: dist/* nullish */.cl6(dist/* string */.YjP()),
    repo: dist/* nullish */.cl6(dist/* object */.Ikc({ id: dist/* number */.aig() })),
});
const Pull = dist/* pipe */.FsL(dist/* object */.Ikc({ number: dist/* number */.aig(), head: Side, base: Side, merged_at: dist/* nullish */.cl6(dist/* string */.YjP()) }), dist/* transform */.pdi(({ number, head, base, merged_at }) => {
    const isFork = head.repo?.id !== base.repo?.id;
    return {
        number,
        headSha: head.sha,
        branch: isFork ? (head.label ?? `:${head.ref}`) : head.ref,
        baseBranch: base.ref,
        isMerged: typeof merged_at === 'string',
    };
}));
/** A directory is answered as the list of what is in it. */
const FileContent = dist/* union */.KCZ([
    dist/* object */.Ikc({ type: dist/* string */.YjP(), encoding: dist/* optional */.lqM(dist/* string */.YjP()), content: dist/* optional */.lqM(dist/* string */.YjP(), '') }),
    dist/* pipe */.FsL(dist/* array */.YOg(dist/* unknown */.L5J()), dist/* transform */.pdi(() => ({ type: 'directory', encoding: undefined, content: '' }))),
]);
const Commit = dist/* object */.Ikc({ parents: dist/* array */.YOg(dist/* object */.Ikc({ sha: dist/* string */.YjP() })) });
const Comment = dist/* object */.Ikc({
    id: dist/* number */.aig(),
    body: dist/* nullish */.cl6(dist/* string */.YjP(), ''),
    user: dist/* nullish */.cl6(dist/* object */.Ikc({ login: dist/* string */.YjP() }), null),
});
const Artifact = dist/* pipe */.FsL(dist/* object */.Ikc({
    id: dist/* number */.aig(),
    name: dist/* string */.YjP(),
    size_in_bytes: dist/* number */.aig(),
    expired: dist/* boolean */.zMY(),
    created_at: dist/* nullish */.cl6(dist/* string */.YjP(), ''),
    workflow_run: dist/* nullish */.cl6(dist/* object */.Ikc({
        id: dist/* nullish */.cl6(dist/* number */.aig()),
        repository_id: dist/* nullish */.cl6(dist/* number */.aig()),
        head_repository_id: dist/* nullish */.cl6(dist/* number */.aig()),
        head_branch: dist/* nullish */.cl6(dist/* string */.YjP()),
    })),
}), dist/* transform */.pdi(({ id, name, size_in_bytes, expired, created_at, workflow_run: run }) => ({
    id,
    name,
    size: size_in_bytes,
    isExpired: expired,
    createdAt: created_at,
    runId: run?.id === null || run?.id === undefined ? undefined : String(run.id),
    /** False for what a fork's run left here: its name says nothing about who made it. */
    isOwn: typeof run?.repository_id === 'number' && run.repository_id === run.head_repository_id,
})));
const Artifacts = dist/* object */.Ikc({ artifacts: dist/* array */.YOg(Artifact) });
const Viewer = dist/* object */.Ikc({ viewer: dist/* object */.Ikc({ login: dist/* string */.YjP() }) });

;// CONCATENATED MODULE: ./lib/github/github-error.js


/** A request to GitHub that failed for good. None of them changes a verdict by itself: the caller knows what to do without. */
class GitHubError extends Error {
    name = 'GitHubError';
    trouble;
    /** What a user can do about it. */
    fix;
    constructor(ask, trouble, words, fix, options) {
        super(`Could not ${ask.doing}: ${words.replace(/\.$/, '')}.`, options);
        this.trouble = trouble;
        this.fix = fix;
    }
}
function withoutToken(ask) {
    return new GitHubError(ask, 'no-token', 'the input `github-token` is empty', `Leave \`github-token\` to its default, and give the job \`permissions: ${ask.needs}\`.`);
}
/** What we read of an error that octokit throws. */
const Thrown = dist/* object */.Ikc({
    status: dist/* number */.aig(),
    response: dist/* optional */.lqM(dist/* object */.Ikc({
        headers: dist/* optional */.lqM(dist/* record */.g1P(dist/* string */.YjP(), dist/* unknown */.L5J()), {}),
        data: dist/* unknown */.L5J(),
    })),
});
function describeFailure(error, ask, isGhes) {
    const thrown = dist/* safeParse */.xLC(Thrown, error);
    const response = thrown.success ? thrown.output.response : undefined;
    if (!thrown.success || !response) {
        return { error: silent(ask, error), status: undefined, retryAfter: undefined };
    }
    const { status } = thrown.output;
    const words = wordsOf(typeof response.data === 'string' ? response.data : JSON.stringify(response.data ?? ''));
    const told = `GitHub answered ${status}${words && `, ${JSON.stringify(words)}`}`;
    const header = (name) => github_error_text(response.headers[name]);
    const isLimit = status === 429 || (status === 403 && (header('x-ratelimit-remaining') === '0' || /rate limit/i.test(words)));
    const [trouble, fix] = isLimit ? RATE_LIMIT : advice(status, words, ask, isGhes);
    return {
        error: new GitHubError(ask, trouble, told, fix, { cause: error }),
        status,
        retryAfter: header('retry-after'),
    };
}
const RATE_LIMIT = ['rate-limit', "The token's rate limit at GitHub is used up. Re-run the job later."];
function advice(status, words, ask, isGhes) {
    if (status >= 500)
        return ['unavailable', 'Re-run the job; https://www.githubstatus.com tells of outages.'];
    if (status === 401)
        return ['bad-token', 'Check `github-token`: leave it to its default, or give it a token that has not expired.'];
    if (status === 403 && /not accessible by|must have .* rights/i.test(words))
        return ['permission', `Give the job \`permissions: ${ask.needs}\`.`];
    if (status === 404) {
        const older = isGhes ? ', and that this version of GitHub Enterprise Server has this part of the API' : '';
        return [
            'not-found',
            `Check that \`github-token\` belongs to this repository and that the job has \`permissions: ${ask.needs}\`${older}.`,
        ];
    }
    return ['refused', `Check that the job has \`permissions: ${ask.needs}\` and what GitHub says about it.`];
}
function silent(ask, error) {
    const words = error instanceof Error ? error.message : String(error);
    return new GitHubError(ask, 'unavailable', `no answer from GitHub (${words})`, 'Re-run the job; on a runner of your own, check its proxy and firewall.', { cause: error });
}
function unreadable(ask) {
    return new GitHubError(ask, 'unreadable', "GitHub's answer does not hold what it should", 'Re-run the job; a proxy in between may have answered instead.');
}
function github_error_text(header) {
    return typeof header === 'string' || typeof header === 'number' ? String(header) : undefined;
}

;// CONCATENATED MODULE: ./lib/clock.js
/** Sleeps, and wakes early with the signal's reason where it is aborted. */
async function sleep(milliseconds, signal) {
    signal.throwIfAborted();
    await new Promise((resolve, reject) => {
        const timer = setTimeout(done, milliseconds);
        function done() {
            signal.removeEventListener('abort', stop);
            resolve();
        }
        function stop() {
            clearTimeout(timer);
            reject(signal.reason);
        }
        signal.addEventListener('abort', stop, { once: true });
    });
}

;// CONCATENATED MODULE: ./lib/http/backoff.js
const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 15_000;
/** Exponential with equal jitter: at least half of the step, so that a retry is never immediate. */
function backoff(tries, random = Math.random) {
    const step = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (tries - 1));
    return step / 2 + (step / 2) * random();
}
const SHORTEST_RETRY_AFTER_S = 1;
const LONGEST_RETRY_AFTER_S = 3600;
/**
 * Seconds of a `Retry-After` header as milliseconds, undefined where there is none to go by. The service sends seconds;
 * anything else, and a negative number, is nonsense. A huge number is cut to an hour: whoever waits has a deadline of its own.
 */
function retryAfterMs(header) {
    if (header === undefined || !/^\s*\d+(\.\d+)?\s*$/.test(header))
        return undefined;
    return Math.min(LONGEST_RETRY_AFTER_S, Math.max(SHORTEST_RETRY_AFTER_S, Number(header))) * 1000;
}

;// CONCATENATED MODULE: ./lib/github/octokit.js



const TRIES = 3;
const ONE_TRY_MS = 20_000;
/** A limit that ends later than that is not worth a running job's time. */
const LONGEST_WAIT_MS = 10_000;
/** octokit would write to the console, past everything that keeps the log clean. */
const SILENT = { debug: () => { }, info: () => { }, warn: () => { }, error: () => { } };
function connect({ token, apiUrl, isGhes, signal, pause = backoff }) {
    let loading;
    // Loaded when first needed: it costs a run that asks GitHub nothing a tenth of a second.
    const load = async () => {
        const github = await Promise.all(/* import() */[__nccwpck_require__.e(752), __nccwpck_require__.e(942), __nccwpck_require__.e(351)]).then(__nccwpck_require__.bind(__nccwpck_require__, 61351));
        // Only at the top level: options for requests would take the place of the ones that know the proxy.
        return github.getOctokit(token, { baseUrl: apiUrl, log: SILENT });
    };
    return async (ask, request) => {
        if (token === '')
            throw withoutToken(ask);
        for (let attempt = 1;; attempt++) {
            signal.throwIfAborted();
            try {
                loading ??= load();
                const limit = AbortSignal.any([signal, AbortSignal.timeout(ONE_TRY_MS)]);
                return await request(await loading, { signal: limit, log: SILENT });
            }
            catch (error) {
                signal.throwIfAborted();
                const failure = describeFailure(error, ask, isGhes);
                const wait = attempt < TRIES ? waitBeforeNext(failure, ask, pause(attempt)) : undefined;
                if (wait === undefined)
                    throw failure.error;
                await sleep(wait, signal);
            }
        }
    };
}
/** Undefined where another try is of no use, or could do harm. */
function waitBeforeNext({ error, retryAfter }, ask, pause) {
    if (error.trouble === 'rate-limit') {
        // A request that met the limit was not carried out.
        const wait = retryAfterMs(retryAfter);
        return wait !== undefined && wait <= LONGEST_WAIT_MS ? wait : undefined;
    }
    return error.trouble === 'unavailable' && ask.isRepeatable ? pause : undefined;
}

;// CONCATENATED MODULE: ./lib/github/api.js




/** GitHub lists no more files of a pull request than this. */
const MOST_CHANGED_FILES = 3_000;
/** More than GitHub takes in one conversation, which is 2,500. */
const MOST_COMMENTS = 3_000;
const PAGE = 100;
function createGitHubApi(options) {
    const send = connect(options);
    const [owner = '', repo = ''] = options.repository.split('/');
    const call = async (ask, route, parameters) => await send(ask, async (octokit, request) => await octokit.request(route, { owner, repo, ...parameters, request }));
    const get = async (ask, answer, path, parameters) => {
        const { data } = await call(ask, `GET /repos/{owner}/{repo}/${path}`, parameters);
        return read(answer, data, ask);
    };
    /** A list that comes in pages, up to `most` items of it. */
    const pages = async (ask, item, most, path, parameters) => {
        const all = [];
        for (let page = 1; all.length < most; page++) {
            const { data, headers } = await call(ask, `GET /repos/{owner}/{repo}/${path}`, {
                ...parameters,
                per_page: PAGE,
                page,
            });
            const items = read(dist/* array */.YOg(item), data, ask);
            all.push(...items);
            // A page may hold fewer than asked for without being the last one.
            if (items.length === 0 || !headers.link?.includes('rel="next"'))
                break;
        }
        return all.slice(0, most);
    };
    return {
        pullRequestFiles: async (number) => await pages(reading('list the changed files', 'pull-requests'), ChangedFile, MOST_CHANGED_FILES, 'pulls/{number}/files', { number }),
        pullRequest: async (number) => await get(reading('read the pull request', 'pull-requests'), Pull, 'pulls/{number}', { number }),
        pullRequestsOf: async (commit) => await get(reading('find the pull request of a commit', 'pull-requests'), dist/* array */.YOg(Pull), 'commits/{commit}/pulls', { commit }),
        textAt: async (path, commit) => {
            const ask = reading(`read ${JSON.stringify(path)} at ${commit.slice(0, 7)}`, 'contents');
            try {
                return textOf(await get(ask, FileContent, 'contents/{path}', { path, ref: commit }), ask);
            }
            catch (error) {
                if (error instanceof GitHubError && error.trouble === 'not-found')
                    return undefined;
                throw error;
            }
        },
        parentsOf: async (commit) => {
            const ask = reading(`read the commit ${commit.slice(0, 7)}`, 'contents');
            const { parents } = await get(ask, Commit, 'git/commits/{commit}', { commit });
            return parents.map(({ sha }) => sha);
        },
        comments: async (number) => await pages(
        // Whoever lists them wants to write one: a workflow should be mended once, not twice.
        { doing: 'list the comments', needs: 'pull-requests: write', isRepeatable: true }, Comment, MOST_COMMENTS, 'issues/{number}/comments', { number }),
        createComment: async (number, body) => {
            const ask = { doing: 'write the comment', needs: 'pull-requests: write', isRepeatable: false };
            await call(ask, 'POST /repos/{owner}/{repo}/issues/{number}/comments', { number, body });
        },
        updateComment: async (id, body) => {
            const ask = { doing: 'update the comment', needs: 'pull-requests: write', isRepeatable: true };
            await call(ask, 'PATCH /repos/{owner}/{repo}/issues/comments/{id}', { id, body });
        },
        ownLogin: async () => {
            const ask = reading('find out whose token this is', 'pull-requests');
            // The REST API tells the token of an installation nothing about itself.
            const answer = await send(ask, async (octokit, request) => await octokit.graphql('query { viewer { login } }', { request }));
            return read(Viewer, answer, ask).viewer.login;
        },
        artifacts: async (name) => {
            const ask = reading('list the artifacts', 'actions');
            return (await get(ask, Artifacts, 'actions/artifacts', { name, per_page: PAGE })).artifacts;
        },
        artifactArchive: async (id) => new Uint8Array(await get(reading('download an artifact', 'actions'), dist/* instance */.KJ$(ArrayBuffer), 'actions/artifacts/{id}/zip', {
            id,
        })),
    };
}
function reading(doing, permission) {
    return { doing, needs: `${permission}: read`, isRepeatable: true };
}
function textOf({ type, encoding, content }, ask) {
    if (type === 'file' && encoding === 'base64')
        return Buffer.from(content, 'base64').toString('utf8');
    const what = type === 'file' ? 'it is larger than 1 MB' : `it is a ${type}`;
    throw new GitHubError(ask, 'refused', what, 'Name a text file of less than 1 MB.');
}
function read(schema, data, ask) {
    const parsed = dist/* safeParse */.xLC(schema, data);
    if (!parsed.success)
        throw unreadable(ask);
    return parsed.output;
}

// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __nccwpck_require__(51455);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __nccwpck_require__(76760);
;// CONCATENATED MODULE: ./node_modules/balanced-match/dist/esm/index.js
const balanced = (a, b, str) => {
    const ma = a instanceof RegExp ? maybeMatch(a, str) : a;
    const mb = b instanceof RegExp ? maybeMatch(b, str) : b;
    const r = ma !== null && mb != null && range(ma, mb, str);
    return (r && {
        start: r[0],
        end: r[1],
        pre: str.slice(0, r[0]),
        body: str.slice(r[0] + ma.length, r[1]),
        post: str.slice(r[1] + mb.length),
    });
};
const maybeMatch = (reg, str) => {
    const m = str.match(reg);
    return m ? m[0] : null;
};
const range = (a, b, str) => {
    let begs, beg, left, right = undefined, result;
    let ai = str.indexOf(a);
    let bi = str.indexOf(b, ai + 1);
    let i = ai;
    if (ai >= 0 && bi > 0) {
        if (a === b) {
            return [ai, bi];
        }
        begs = [];
        left = str.length;
        while (i >= 0 && !result) {
            if (i === ai) {
                begs.push(i);
                ai = str.indexOf(a, i + 1);
            }
            else if (begs.length === 1) {
                const r = begs.pop();
                if (r !== undefined)
                    result = [r, bi];
            }
            else {
                beg = begs.pop();
                if (beg !== undefined && beg < left) {
                    left = beg;
                    right = bi;
                }
                bi = str.indexOf(b, i + 1);
            }
            i = ai < bi && ai >= 0 ? ai : bi;
        }
        if (begs.length && right !== undefined) {
            result = [left, right];
        }
    }
    return result;
};
//# sourceMappingURL=index.js.map
;// CONCATENATED MODULE: ./node_modules/brace-expansion/dist/esm/index.js

const escSlash = '\0SLASH' + Math.random() + '\0';
const escOpen = '\0OPEN' + Math.random() + '\0';
const escClose = '\0CLOSE' + Math.random() + '\0';
const escComma = '\0COMMA' + Math.random() + '\0';
const escPeriod = '\0PERIOD' + Math.random() + '\0';
const escSlashPattern = new RegExp(escSlash, 'g');
const escOpenPattern = new RegExp(escOpen, 'g');
const escClosePattern = new RegExp(escClose, 'g');
const escCommaPattern = new RegExp(escComma, 'g');
const escPeriodPattern = new RegExp(escPeriod, 'g');
const slashPattern = /\\\\/g;
const openPattern = /\\{/g;
const closePattern = /\\}/g;
const commaPattern = /\\,/g;
const periodPattern = /\\\./g;
const EXPANSION_MAX = 100_000;
// `EXPANSION_MAX` caps the *number* of expansions, but not their length. An
// input like `'{a,b}'.repeat(1500)` stays under that count - its output is
// truncated to 100k results - while making every result ~1500 characters
// long. The result set, and the intermediate arrays built while combining
// brace sets, then grow large enough to exhaust memory and crash the process
// (CVE-2026-14257). `EXPANSION_MAX_LENGTH` bounds the total number of
// characters the accumulator may hold at any point, so memory stays flat no
// matter how many brace groups are chained. The limit sits well above any
// realistic expansion (100k results hitting `EXPANSION_MAX` measure ~1M
// characters) so legitimate input is unaffected.
const EXPANSION_MAX_LENGTH = 4_000_000;
// `expand_` recurses once per level of brace *nesting* - both when expanding a
// set's comma members and when re-wrapping a set whose body is a single part.
// The CVE-2026-14257 fix made the *tail* iterative (recursion on `m.post`, one
// level per chained group), which left nesting depth unbounded: about 3,100
// levels of `{{{...a,b...}}}` - only ~6KB of input - exhausted the native stack
// and crashed the process. `EXPANSION_MAX_DEPTH` bounds how deep the parser
// will follow nesting. It sits far above any realistic pattern and well below
// the depth at which the stack runs out.
const EXPANSION_MAX_DEPTH = 1_000;
// Bash keeps a quirk where a brace group followed by a comma set still expands
// (`{a},b}`). The parser implements it by rewriting the string and restarting
// the scan, absorbing one `}` per pass. `n` trailing braces therefore cost `n`
// full passes over a string that itself grows by one `escClose` sentinel each
// time - quadratic in `n`, with a ~26x constant from the sentinel's length.
// 128KB of `'{a}' + '}'.repeat(n) + ',z}'` blocked the event loop for 27
// seconds to produce two results. `EXPANSION_MAX_REWRITES` bounds how many
// times the scan may restart. Real `{a},b}` input needs a handful.
const EXPANSION_MAX_REWRITES = 1_000;
function numeric(str) {
    return !isNaN(str) ? parseInt(str, 10) : str.charCodeAt(0);
}
function escapeBraces(str) {
    return str
        .replace(slashPattern, escSlash)
        .replace(openPattern, escOpen)
        .replace(closePattern, escClose)
        .replace(commaPattern, escComma)
        .replace(periodPattern, escPeriod);
}
function unescapeBraces(str) {
    return str
        .replace(escSlashPattern, '\\')
        .replace(escOpenPattern, '{')
        .replace(escClosePattern, '}')
        .replace(escCommaPattern, ',')
        .replace(escPeriodPattern, '.');
}
// Like `target.push(...items)` but doesn't overflow the stack
function pushAll(target, items) {
    for (let i = 0; i < items.length; i++) {
        target.push(items[i]);
    }
}
/**
 * Basically just str.split(","), but handling cases
 * where we have nested braced sections, which should be
 * treated as individual members, like {a,{b,c},d}
 */
function parseCommaParts(str) {
    const parts = [];
    // Walk the brace groups iteratively. Recursing on `post` once per group let a
    // chain of them exhaust the stack - the parsing-side counterpart to
    // the `expand_` overflow fixed for CVE-2026-14257, and not something `max` or
    // `maxLength` can bound, since it happens before expansion.
    //
    // The part the next chunk continues
    let carry = '';
    for (;;) {
        const m = balanced('{', '}', str);
        if (!m) {
            const tail = str.split(',');
            tail[0] = carry + tail[0];
            pushAll(parts, tail);
            return parts;
        }
        const { pre, body, post } = m;
        const p = pre.split(',');
        p[0] = carry + p[0];
        p[p.length - 1] += '{' + body + '}';
        if (!post.length) {
            pushAll(parts, p);
            return parts;
        }
        carry = p.pop();
        pushAll(parts, p);
        str = post;
    }
}
function expand(str, options = {}) {
    if (!str) {
        return [];
    }
    const { max = EXPANSION_MAX, maxLength = EXPANSION_MAX_LENGTH, maxDepth = EXPANSION_MAX_DEPTH, maxRewrites = EXPANSION_MAX_REWRITES, } = options;
    // I don't know why Bash 4.3 does this, but it does.
    // Anything starting with {} will have the first two bytes preserved
    // but *only* at the top level, so {},a}b will not expand to anything,
    // but a{},b}c will be expanded to [a}c,abc].
    // One could argue that this is a bug in Bash, but since the goal of
    // this module is to match Bash's rules, we escape a leading {}
    if (str.slice(0, 2) === '{}') {
        str = '\\{\\}' + str.slice(2);
    }
    return expand_(escapeBraces(str), max, maxLength, maxDepth, 0, maxRewrites, true).map(unescapeBraces);
}
function embrace(str) {
    return '{' + str + '}';
}
function isPadded(el) {
    return /^-?0\d/.test(el);
}
function lte(i, y) {
    return i <= y;
}
function gte(i, y) {
    return i >= y;
}
// Build `{ acc[a] + pre + values[v] }` for every combination, capping the
// number of results at `max` and the total number of characters at `maxLength`.
// This is the one place output grows, so bounding it here keeps the single
// accumulator - and therefore memory - flat regardless of how many brace groups
// are combined (CVE-2026-14257).
function combine(acc, pre, values, max, maxLength, dropEmpties) {
    const out = [];
    let length = 0;
    for (let a = 0; a < acc.length; a++) {
        for (let v = 0; v < values.length; v++) {
            if (out.length >= max)
                return out;
            const expansion = acc[a] + pre + values[v];
            // Bash drops empty results at the top level. Skip them before they count
            // against `max`, so `max` bounds the number of *kept* results.
            if (dropEmpties && !expansion)
                continue;
            if (length + expansion.length > maxLength)
                return out;
            out.push(expansion);
            length += expansion.length;
        }
    }
    return out;
}
// The expansion values of a single numeric (`1..5`) or alphabetic (`a..e..2`)
// sequence body.
function expandSequence(body, isAlphaSequence, max, maxLength) {
    const n = body.split(/\.\./);
    const N = [];
    // A sequence body always splits into two or three parts, but the compiler
    // can't know that.
    /* c8 ignore start */
    if (n[0] === undefined || n[1] === undefined) {
        return N;
    }
    /* c8 ignore stop */
    const x = numeric(n[0]);
    const y = numeric(n[1]);
    const width = Math.max(n[0].length, n[1].length);
    let incr = n.length === 3 && n[2] !== undefined ?
        Math.max(Math.abs(numeric(n[2])), 1)
        : 1;
    let test = lte;
    const reverse = y < x;
    if (reverse) {
        incr *= -1;
        test = gte;
    }
    const pad = n.some(isPadded);
    let length = 0;
    for (let i = x; test(i, y) && N.length < max; i += incr) {
        let c;
        if (isAlphaSequence) {
            c = String.fromCharCode(i);
            if (c === '\\') {
                c = '';
            }
        }
        else {
            c = String(i);
            if (pad) {
                const need = width - c.length;
                if (need > 0) {
                    const z = new Array(need + 1).join('0');
                    if (i < 0) {
                        c = '-' + z + c.slice(1);
                    }
                    else {
                        c = z + c;
                    }
                }
            }
        }
        if (length + c.length > maxLength)
            break;
        N.push(c);
        length += c.length;
    }
    return N;
}
function expand_(str, max, maxLength, maxDepth, depth, maxRewrites, isTop) {
    // Too deeply nested to keep following: treat the rest as literal, the same
    // way a group that cannot expand is already handled. Truncating rather than
    // throwing keeps `expand` total, matching `max` and `maxLength`.
    if (depth > maxDepth) {
        return [str];
    }
    // Consume the string's top-level brace groups left to right, threading a
    // running set of combined prefixes (`acc`). Expanding the tail iteratively -
    // rather than recursing on `m.post` once per group - keeps the native stack
    // depth constant, so deeply chained input (`'{a,b}'.repeat(3000)`) can no
    // longer overflow the stack, and leaves a single accumulator whose size
    // `maxLength` bounds directly (CVE-2026-14257).
    let acc = [''];
    // Bash drops empty results, but only when the *first* top-level group is a
    // comma set - a sequence like `{a..\}` may legitimately yield ''. The drop
    // is on the final strings, so it is applied to whichever `combine` produces
    // them (the one with no brace set left in the tail).
    // How many times the `{a},b}` rewrite below has restarted the scan. Each pass
    // re-reads the whole string, so leaving this unbounded is quadratic.
    let rewrites = 0;
    let dropEmpties = false;
    let firstGroup = true;
    for (;;) {
        const m = balanced('{', '}', str);
        // No brace set left: the rest of the string is literal.
        if (!m) {
            return combine(acc, str, [''], max, maxLength, dropEmpties);
        }
        // no need to expand pre, since it is guaranteed to be free of brace-sets
        const pre = m.pre;
        if (/\$$/.test(pre)) {
            acc = combine(acc, pre + '{' + m.body + '}', [''], max, maxLength, dropEmpties && !m.post.length);
            firstGroup = false;
            if (!m.post.length)
                break;
            str = m.post;
            continue;
        }
        const isNumericSequence = /^-?\d+\.\.-?\d+(?:\.\.-?\d+)?$/.test(m.body);
        const isAlphaSequence = /^[a-zA-Z]\.\.[a-zA-Z](?:\.\.-?\d+)?$/.test(m.body);
        const isSequence = isNumericSequence || isAlphaSequence;
        const isOptions = m.body.indexOf(',') >= 0;
        if (!isSequence && !isOptions) {
            // {a},b}
            if (rewrites < maxRewrites && m.post.match(/,(?!,).*\}/)) {
                rewrites++;
                str = m.pre + '{' + m.body + escClose + m.post;
                isTop = true;
                continue;
            }
            // Nothing here expands, so the whole remaining string is literal.
            return combine(acc, pre + '{' + m.body + '}' + m.post, [''], max, maxLength, dropEmpties);
        }
        if (firstGroup) {
            dropEmpties = isTop && !isSequence;
            firstGroup = false;
        }
        let values;
        if (isSequence) {
            values = expandSequence(m.body, isAlphaSequence, max, maxLength);
        }
        else {
            let n = parseCommaParts(m.body);
            if (n.length === 1 && n[0] !== undefined) {
                // x{{a,b}}y ==> x{a}y x{b}y
                n = expand_(n[0], max, maxLength, maxDepth, depth + 1, maxRewrites, false).map(embrace);
                //XXX is this necessary? Can't seem to hit it in tests.
                /* c8 ignore start */
                if (n.length === 1) {
                    acc = combine(acc, pre + n[0], [''], max, maxLength, dropEmpties && !m.post.length);
                    if (!m.post.length)
                        break;
                    str = m.post;
                    continue;
                }
                /* c8 ignore stop */
            }
            // Values that `combine` is going to drop as empty produce no result, so
            // they must not count against `max` - otherwise `{a,,b}` with `max: 2`
            // would stop at `['a', '']` and yield one result instead of two. Skipping
            // them outright keeps `values` bounded while leaving `max` a bound on
            // *kept* results.
            let dropsEmpties = dropEmpties && !m.post.length && !pre;
            for (let d = 0; dropsEmpties && d < acc.length; d++) {
                if (acc[d]) {
                    dropsEmpties = false;
                }
            }
            values = [];
            let valuesLength = 0;
            outer: for (let j = 0; j < n.length; j++) {
                const expanded = expand_(n[j], max, maxLength, maxDepth, depth + 1, maxRewrites, false);
                for (let k = 0; k < expanded.length; k++) {
                    const v = expanded[k];
                    if (dropsEmpties && !v)
                        continue;
                    if (values.length >= max ||
                        valuesLength + v.length > maxLength) {
                        break outer;
                    }
                    values.push(v);
                    valuesLength += v.length;
                }
            }
        }
        acc = combine(acc, pre, values, max, maxLength, dropEmpties && !m.post.length);
        if (!m.post.length)
            break;
        str = m.post;
    }
    return acc;
}
//# sourceMappingURL=index.js.map
;// CONCATENATED MODULE: ./node_modules/minimatch/dist/esm/assert-valid-pattern.js
const MAX_PATTERN_LENGTH = 1024 * 64;
const assertValidPattern = (pattern) => {
    if (typeof pattern !== 'string') {
        throw new TypeError('invalid pattern');
    }
    if (pattern.length > MAX_PATTERN_LENGTH) {
        throw new TypeError('pattern is too long');
    }
};
//# sourceMappingURL=assert-valid-pattern.js.map
;// CONCATENATED MODULE: ./node_modules/minimatch/dist/esm/brace-expressions.js
// translate the various posix character classes into unicode properties
// this works across all unicode locales
// { <posix class>: [<translation>, /u flag required, negated]
const posixClasses = {
    '[:alnum:]': ['\\p{L}\\p{Nl}\\p{Nd}', true],
    '[:alpha:]': ['\\p{L}\\p{Nl}', true],
    '[:ascii:]': ['\\x' + '00-\\x' + '7f', false],
    '[:blank:]': ['\\p{Zs}\\t', true],
    '[:cntrl:]': ['\\p{Cc}', true],
    '[:digit:]': ['\\p{Nd}', true],
    '[:graph:]': ['\\p{Z}\\p{C}', true, true],
    '[:lower:]': ['\\p{Ll}', true],
    '[:print:]': ['\\p{C}', true],
    '[:punct:]': ['\\p{P}', true],
    '[:space:]': ['\\p{Z}\\t\\r\\n\\v\\f', true],
    '[:upper:]': ['\\p{Lu}', true],
    '[:word:]': ['\\p{L}\\p{Nl}\\p{Nd}\\p{Pc}', true],
    '[:xdigit:]': ['A-Fa-f0-9', false],
};
// only need to escape a few things inside of brace expressions
// escapes: [ \ ] -
const braceEscape = (s) => s.replace(/[[\]\\-]/g, '\\$&');
// escape all regexp magic characters
const regexpEscape = (s) => s.replace(/[-[\]{}()*+?.,\\^$|#\s]/g, '\\$&');
// everything has already been escaped, we just have to join
const rangesToString = (ranges) => ranges.join('');
// takes a glob string at a posix brace expression, and returns
// an equivalent regular expression source, and boolean indicating
// whether the /u flag needs to be applied, and the number of chars
// consumed to parse the character class.
// This also removes out of order ranges, and returns ($.) if the
// entire class just no good.
const parseClass = (glob, position) => {
    const pos = position;
    /* c8 ignore start */
    if (glob.charAt(pos) !== '[') {
        throw new Error('not in a brace expression');
    }
    /* c8 ignore stop */
    const ranges = [];
    const negs = [];
    let i = pos + 1;
    let sawStart = false;
    let uflag = false;
    let escaping = false;
    let negate = false;
    let endPos = pos;
    let rangeStart = '';
    WHILE: while (i < glob.length) {
        const c = glob.charAt(i);
        if ((c === '!' || c === '^') && i === pos + 1) {
            negate = true;
            i++;
            continue;
        }
        if (c === ']' && sawStart && !escaping) {
            endPos = i + 1;
            break;
        }
        sawStart = true;
        if (c === '\\') {
            if (!escaping) {
                escaping = true;
                i++;
                continue;
            }
            // escaped \ char, fall through and treat like normal char
        }
        if (c === '[' && !escaping) {
            // either a posix class, a collation equivalent, or just a [
            for (const [cls, [unip, u, neg]] of Object.entries(posixClasses)) {
                if (glob.startsWith(cls, i)) {
                    // invalid, [a-[] is fine, but not [a-[:alpha]]
                    if (rangeStart) {
                        return ['$.', false, glob.length - pos, true];
                    }
                    i += cls.length;
                    if (neg)
                        negs.push(unip);
                    else
                        ranges.push(unip);
                    uflag = uflag || u;
                    continue WHILE;
                }
            }
        }
        // now it's just a normal character, effectively
        escaping = false;
        if (rangeStart) {
            // throw this range away if it's not valid, but others
            // can still match.
            if (c > rangeStart) {
                ranges.push(braceEscape(rangeStart) + '-' + braceEscape(c));
            }
            else if (c === rangeStart) {
                ranges.push(braceEscape(c));
            }
            rangeStart = '';
            i++;
            continue;
        }
        // now might be the start of a range.
        // can be either c-d or c-] or c<more...>] or c] at this point
        if (glob.startsWith('-]', i + 1)) {
            ranges.push(braceEscape(c + '-'));
            i += 2;
            continue;
        }
        if (glob.startsWith('-', i + 1)) {
            rangeStart = c;
            i += 2;
            continue;
        }
        // not the start of a range, just a single character
        ranges.push(braceEscape(c));
        i++;
    }
    if (endPos < i) {
        // didn't see the end of the class, not a valid class,
        // but might still be valid as a literal match.
        return ['', false, 0, false];
    }
    // if we got no ranges and no negates, then we have a range that
    // cannot possibly match anything, and that poisons the whole glob
    if (!ranges.length && !negs.length) {
        return ['$.', false, glob.length - pos, true];
    }
    // if we got one positive range, and it's a single character, then that's
    // not actually a magic pattern, it's just that one literal character.
    // we should not treat that as "magic", we should just return the literal
    // character. [_] is a perfectly valid way to escape glob magic chars.
    if (negs.length === 0 &&
        ranges.length === 1 &&
        /^\\?.$/.test(ranges[0]) &&
        !negate) {
        const r = ranges[0].length === 2 ? ranges[0].slice(-1) : ranges[0];
        return [regexpEscape(r), false, endPos - pos, false];
    }
    const sranges = '[' + (negate ? '^' : '') + rangesToString(ranges) + ']';
    const snegs = '[' + (negate ? '' : '^') + rangesToString(negs) + ']';
    const comb = ranges.length && negs.length ? '(' + sranges + '|' + snegs + ')'
        : ranges.length ? sranges
            : snegs;
    return [comb, uflag, endPos - pos, true];
};
//# sourceMappingURL=brace-expressions.js.map
;// CONCATENATED MODULE: ./node_modules/minimatch/dist/esm/unescape.js
/**
 * Un-escape a string that has been escaped with {@link escape}.
 *
 * If the {@link MinimatchOptions.windowsPathsNoEscape} option is used, then
 * square-bracket escapes are removed, but not backslash escapes.
 *
 * For example, it will turn the string `'[*]'` into `*`, but it will not
 * turn `'\\*'` into `'*'`, because `\` is a path separator in
 * `windowsPathsNoEscape` mode.
 *
 * When `windowsPathsNoEscape` is not set, then both square-bracket escapes and
 * backslash escapes are removed.
 *
 * Slashes (and backslashes in `windowsPathsNoEscape` mode) cannot be escaped
 * or unescaped.
 *
 * When `magicalBraces` is not set, escapes of braces (`{` and `}`) will not be
 * unescaped.
 */
const unescape_unescape = (s, { windowsPathsNoEscape = false, magicalBraces = true, } = {}) => {
    if (magicalBraces) {
        return windowsPathsNoEscape ?
            s.replace(/\[([^/\\])\]/g, '$1')
            : s
                .replace(/((?!\\).|^)\[([^/\\])\]/g, '$1$2')
                .replace(/\\([^/])/g, '$1');
    }
    return windowsPathsNoEscape ?
        s.replace(/\[([^/\\{}])\]/g, '$1')
        : s
            .replace(/((?!\\).|^)\[([^/\\{}])\]/g, '$1$2')
            .replace(/\\([^/{}])/g, '$1');
};
//# sourceMappingURL=unescape.js.map
;// CONCATENATED MODULE: ./node_modules/minimatch/dist/esm/ast.js
// parse a single path portion
var _a;


const types = new Set(['!', '?', '+', '*', '@']);
const isExtglobType = (c) => types.has(c);
const isExtglobAST = (c) => isExtglobType(c.type);
// Map of which extglob types can adopt the children of a nested extglob
//
// anything but ! can adopt a matching type:
// +(a|+(b|c)|d) => +(a|b|c|d)
// *(a|*(b|c)|d) => *(a|b|c|d)
// @(a|@(b|c)|d) => @(a|b|c|d)
// ?(a|?(b|c)|d) => ?(a|b|c|d)
//
// * can adopt anything, because 0 or repetition is allowed
// *(a|?(b|c)|d) => *(a|b|c|d)
// *(a|+(b|c)|d) => *(a|b|c|d)
// *(a|@(b|c)|d) => *(a|b|c|d)
//
// + can adopt @, because 1 or repetition is allowed
// +(a|@(b|c)|d) => +(a|b|c|d)
//
// + and @ CANNOT adopt *, because 0 would be allowed
// +(a|*(b|c)|d) => would match "", on *(b|c)
// @(a|*(b|c)|d) => would match "", on *(b|c)
//
// + and @ CANNOT adopt ?, because 0 would be allowed
// +(a|?(b|c)|d) => would match "", on ?(b|c)
// @(a|?(b|c)|d) => would match "", on ?(b|c)
//
// ? can adopt @, because 0 or 1 is allowed
// ?(a|@(b|c)|d) => ?(a|b|c|d)
//
// ? and @ CANNOT adopt * or +, because >1 would be allowed
// ?(a|*(b|c)|d) => would match bbb on *(b|c)
// @(a|*(b|c)|d) => would match bbb on *(b|c)
// ?(a|+(b|c)|d) => would match bbb on +(b|c)
// @(a|+(b|c)|d) => would match bbb on +(b|c)
//
// ! CANNOT adopt ! (nothing else can either)
// !(a|!(b|c)|d) => !(a|b|c|d) would fail to match on b (not not b|c)
//
// ! can adopt @
// !(a|@(b|c)|d) => !(a|b|c|d)
//
// ! CANNOT adopt *
// !(a|*(b|c)|d) => !(a|b|c|d) would match on bbb, not allowed
//
// ! CANNOT adopt +
// !(a|+(b|c)|d) => !(a|b|c|d) would match on bbb, not allowed
//
// ! CANNOT adopt ?
// x!(a|?(b|c)|d) => x!(a|b|c|d) would fail to match "x"
const adoptionMap = new Map([
    ['!', ['@']],
    ['?', ['?', '@']],
    ['@', ['@']],
    ['*', ['*', '+', '?', '@']],
    ['+', ['+', '@']],
]);
// nested extglobs that can be adopted in, but with the addition of
// a blank '' element.
const adoptionWithSpaceMap = new Map([
    ['!', ['?']],
    ['@', ['?']],
    ['+', ['?', '*']],
]);
// union of the previous two maps
const adoptionAnyMap = new Map([
    ['!', ['?', '@']],
    ['?', ['?', '@']],
    ['@', ['?', '@']],
    ['*', ['*', '+', '?', '@']],
    ['+', ['+', '@', '?', '*']],
]);
// Extglobs that can take over their parent if they are the only child
// the key is parent, value maps child to resulting extglob parent type
// '@' is omitted because it's a special case. An `@` extglob with a single
// member can always be usurped by that subpattern.
const usurpMap = new Map([
    ['!', new Map([['!', '@']])],
    [
        '?',
        new Map([
            ['*', '*'],
            ['+', '*'],
        ]),
    ],
    [
        '@',
        new Map([
            ['!', '!'],
            ['?', '?'],
            ['@', '@'],
            ['*', '*'],
            ['+', '+'],
        ]),
    ],
    [
        '+',
        new Map([
            ['?', '*'],
            ['*', '*'],
        ]),
    ],
]);
// Patterns that get prepended to bind to the start of either the
// entire string, or just a single path portion, to prevent dots
// and/or traversal patterns, when needed.
// Exts don't need the ^ or / bit, because the root binds that already.
const startNoTraversal = '(?!(?:^|/)\\.\\.?(?:$|/))';
const startNoDot = '(?!\\.)';
// characters that indicate a start of pattern needs the "no dots" bit,
// because a dot *might* be matched. ( is not in the list, because in
// the case of a child extglob, it will handle the prevention itself.
const addPatternStart = new Set(['[', '.']);
// cases where traversal is A-OK, no dot prevention needed
const justDots = new Set(['..', '.']);
const reSpecials = new Set('().*{}+?[]^$\\!');
const regExpEscape = (s) => s.replace(/[-[\]{}()*+?.,\\^$|#\s]/g, '\\$&');
// any single thing other than /
const qmark = '[^/]';
// * => any number of characters
const star = qmark + '*?';
// use + when we need to ensure that *something* matches, because the * is
// the only thing in the path portion.
const starNoEmpty = qmark + '+?';
// remove the \ chars that we added if we end up doing a nonmagic compare
// const deslash = (s: string) => s.replace(/\\(.)/g, '$1')
let ID = 0;
class AST {
    type;
    #root;
    #hasMagic;
    #uflag = false;
    #parts = [];
    #parent;
    #parentIndex;
    #negs;
    #filledNegs = false;
    #options;
    #toString;
    // set to true if it's an extglob with no children
    // (which really means one child of '')
    #emptyExt = false;
    id = ++ID;
    get depth() {
        return (this.#parent?.depth ?? -1) + 1;
    }
    [Symbol.for('nodejs.util.inspect.custom')]() {
        return {
            '@@type': 'AST',
            id: this.id,
            type: this.type,
            root: this.#root.id,
            parent: this.#parent?.id,
            depth: this.depth,
            partsLength: this.#parts.length,
            parts: this.#parts,
        };
    }
    constructor(type, parent, options = {}) {
        this.type = type;
        // extglobs are inherently magical
        if (type)
            this.#hasMagic = true;
        this.#parent = parent;
        this.#root = this.#parent ? this.#parent.#root : this;
        this.#options = this.#root === this ? options : this.#root.#options;
        this.#negs = this.#root === this ? [] : this.#root.#negs;
        if (type === '!' && !this.#root.#filledNegs)
            this.#negs.push(this);
        this.#parentIndex = this.#parent ? this.#parent.#parts.length : 0;
    }
    get hasMagic() {
        /* c8 ignore start */
        if (this.#hasMagic !== undefined)
            return this.#hasMagic;
        /* c8 ignore stop */
        for (const p of this.#parts) {
            if (typeof p === 'string')
                continue;
            if (p.type || p.hasMagic)
                return (this.#hasMagic = true);
        }
        // note: will be undefined until we generate the regexp src and find out
        return this.#hasMagic;
    }
    // reconstructs the pattern
    toString() {
        return (this.#toString !== undefined ? this.#toString
            : !this.type ?
                (this.#toString = this.#parts.map(p => String(p)).join(''))
                : (this.#toString =
                    this.type +
                        '(' +
                        this.#parts.map(p => String(p)).join('|') +
                        ')'));
    }
    #fillNegs() {
        /* c8 ignore start */
        if (this !== this.#root)
            throw new Error('should only call on root');
        if (this.#filledNegs)
            return this;
        /* c8 ignore stop */
        // call toString() once to fill this out
        this.toString();
        this.#filledNegs = true;
        let n;
        while ((n = this.#negs.pop())) {
            if (n.type !== '!')
                continue;
            // walk up the tree, appending everthing that comes AFTER parentIndex
            let p = n;
            let pp = p.#parent;
            while (pp) {
                for (let i = p.#parentIndex + 1; !pp.type && i < pp.#parts.length; i++) {
                    for (const part of n.#parts) {
                        /* c8 ignore start */
                        if (typeof part === 'string') {
                            throw new Error('string part in extglob AST??');
                        }
                        /* c8 ignore stop */
                        part.copyIn(pp.#parts[i]);
                    }
                }
                p = pp;
                pp = p.#parent;
            }
        }
        return this;
    }
    push(...parts) {
        for (const p of parts) {
            if (p === '')
                continue;
            /* c8 ignore start */
            if (typeof p !== 'string' &&
                !(p instanceof _a && p.#parent === this)) {
                throw new Error('invalid part: ' + p);
            }
            /* c8 ignore stop */
            this.#parts.push(p);
        }
    }
    toJSON() {
        const ret = this.type === null ?
            this.#parts
                .slice()
                .map(p => (typeof p === 'string' ? p : p.toJSON()))
            : [this.type, ...this.#parts.map(p => p.toJSON())];
        if (this.isStart() && !this.type)
            ret.unshift([]);
        if (this.isEnd() &&
            (this === this.#root ||
                (this.#root.#filledNegs && this.#parent?.type === '!'))) {
            ret.push({});
        }
        return ret;
    }
    isStart() {
        if (this.#root === this)
            return true;
        // if (this.type) return !!this.#parent?.isStart()
        if (!this.#parent?.isStart())
            return false;
        if (this.#parentIndex === 0)
            return true;
        // if everything AHEAD of this is a negation, then it's still the "start"
        const p = this.#parent;
        for (let i = 0; i < this.#parentIndex; i++) {
            const pp = p.#parts[i];
            if (!(pp instanceof _a && pp.type === '!')) {
                return false;
            }
        }
        return true;
    }
    isEnd() {
        if (this.#root === this)
            return true;
        if (this.#parent?.type === '!')
            return true;
        if (!this.#parent?.isEnd())
            return false;
        if (!this.type)
            return this.#parent?.isEnd();
        // if not root, it'll always have a parent
        /* c8 ignore start */
        const pl = this.#parent ? this.#parent.#parts.length : 0;
        /* c8 ignore stop */
        return this.#parentIndex === pl - 1;
    }
    copyIn(part) {
        if (typeof part === 'string')
            this.push(part);
        else
            this.push(part.clone(this));
    }
    clone(parent) {
        const c = new _a(this.type, parent);
        for (const p of this.#parts) {
            c.copyIn(p);
        }
        return c;
    }
    static #parseAST(str, ast, pos, opt, extDepth) {
        const maxDepth = opt.maxExtglobRecursion ?? 2;
        let escaping = false;
        let inBrace = false;
        let braceStart = -1;
        let braceNeg = false;
        if (ast.type === null) {
            // outside of a extglob, append until we find a start
            let i = pos;
            let acc = '';
            while (i < str.length) {
                const c = str.charAt(i++);
                // still accumulate escapes at this point, but we do ignore
                // starts that are escaped
                if (escaping || c === '\\') {
                    escaping = !escaping;
                    acc += c;
                    continue;
                }
                if (inBrace) {
                    if (i === braceStart + 1) {
                        if (c === '^' || c === '!') {
                            braceNeg = true;
                        }
                    }
                    else if (c === ']' && !(i === braceStart + 2 && braceNeg)) {
                        inBrace = false;
                    }
                    acc += c;
                    continue;
                }
                else if (c === '[') {
                    inBrace = true;
                    braceStart = i;
                    braceNeg = false;
                    acc += c;
                    continue;
                }
                // we don't have to check for adoption here, because that's
                // done at the other recursion point.
                const doRecurse = !opt.noext &&
                    isExtglobType(c) &&
                    str.charAt(i) === '(' &&
                    extDepth <= maxDepth;
                if (doRecurse) {
                    ast.push(acc);
                    acc = '';
                    const ext = new _a(c, ast);
                    i = _a.#parseAST(str, ext, i, opt, extDepth + 1);
                    ast.push(ext);
                    continue;
                }
                acc += c;
            }
            ast.push(acc);
            return i;
        }
        // some kind of extglob, pos is at the (
        // find the next | or )
        let i = pos + 1;
        let part = new _a(null, ast);
        const parts = [];
        let acc = '';
        while (i < str.length) {
            const c = str.charAt(i++);
            // still accumulate escapes at this point, but we do ignore
            // starts that are escaped
            if (escaping || c === '\\') {
                escaping = !escaping;
                acc += c;
                continue;
            }
            if (inBrace) {
                if (i === braceStart + 1) {
                    if (c === '^' || c === '!') {
                        braceNeg = true;
                    }
                }
                else if (c === ']' && !(i === braceStart + 2 && braceNeg)) {
                    inBrace = false;
                }
                acc += c;
                continue;
            }
            else if (c === '[') {
                inBrace = true;
                braceStart = i;
                braceNeg = false;
                acc += c;
                continue;
            }
            const doRecurse = !opt.noext &&
                isExtglobType(c) &&
                str.charAt(i) === '(' &&
                /* c8 ignore start - the maxDepth is sufficient here */
                (extDepth <= maxDepth || (ast && ast.#canAdoptType(c)));
            /* c8 ignore stop */
            if (doRecurse) {
                const depthAdd = ast && ast.#canAdoptType(c) ? 0 : 1;
                part.push(acc);
                acc = '';
                const ext = new _a(c, part);
                part.push(ext);
                i = _a.#parseAST(str, ext, i, opt, extDepth + depthAdd);
                continue;
            }
            if (c === '|') {
                part.push(acc);
                acc = '';
                parts.push(part);
                part = new _a(null, ast);
                continue;
            }
            if (c === ')') {
                if (acc === '' && ast.#parts.length === 0) {
                    ast.#emptyExt = true;
                }
                part.push(acc);
                acc = '';
                ast.push(...parts, part);
                return i;
            }
            acc += c;
        }
        // unfinished extglob
        // if we got here, it was a malformed extglob! not an extglob, but
        // maybe something else in there.
        ast.type = null;
        ast.#hasMagic = undefined;
        ast.#parts = [str.substring(pos - 1)];
        return i;
    }
    #canAdoptWithSpace(child) {
        return this.#canAdopt(child, adoptionWithSpaceMap);
    }
    #canAdopt(child, map = adoptionMap) {
        if (!child ||
            typeof child !== 'object' ||
            child.type !== null ||
            child.#parts.length !== 1 ||
            this.type === null) {
            return false;
        }
        const gc = child.#parts[0];
        if (!gc || typeof gc !== 'object' || gc.type === null) {
            return false;
        }
        return this.#canAdoptType(gc.type, map);
    }
    #canAdoptType(c, map = adoptionAnyMap) {
        return !!map.get(this.type)?.includes(c);
    }
    #adoptWithSpace(child, index) {
        const gc = child.#parts[0];
        const blank = new _a(null, gc, this.options);
        blank.#parts.push('');
        gc.push(blank);
        this.#adopt(child, index);
    }
    #adopt(child, index) {
        const gc = child.#parts[0];
        this.#parts.splice(index, 1, ...gc.#parts);
        for (const p of gc.#parts) {
            if (typeof p === 'object')
                p.#parent = this;
        }
        this.#toString = undefined;
    }
    #canUsurpType(c) {
        const m = usurpMap.get(this.type);
        return !!m?.has(c);
    }
    #canUsurp(child) {
        if (!child ||
            typeof child !== 'object' ||
            child.type !== null ||
            child.#parts.length !== 1 ||
            this.type === null ||
            this.#parts.length !== 1) {
            return false;
        }
        const gc = child.#parts[0];
        if (!gc || typeof gc !== 'object' || gc.type === null) {
            return false;
        }
        return this.#canUsurpType(gc.type);
    }
    #usurp(child) {
        const m = usurpMap.get(this.type);
        const gc = child.#parts[0];
        const nt = m?.get(gc.type);
        /* c8 ignore start - impossible */
        if (!nt)
            return false;
        /* c8 ignore stop */
        this.#parts = gc.#parts;
        for (const p of this.#parts) {
            if (typeof p === 'object') {
                p.#parent = this;
            }
        }
        this.type = nt;
        this.#toString = undefined;
        this.#emptyExt = false;
    }
    static fromGlob(pattern, options = {}) {
        const ast = new _a(null, undefined, options);
        _a.#parseAST(pattern, ast, 0, options, 0);
        return ast;
    }
    // returns the regular expression if there's magic, or the unescaped
    // string if not.
    toMMPattern() {
        // should only be called on root
        /* c8 ignore start */
        if (this !== this.#root)
            return this.#root.toMMPattern();
        /* c8 ignore stop */
        const glob = this.toString();
        const [re, body, hasMagic, uflag] = this.toRegExpSource();
        // if we're in nocase mode, and not nocaseMagicOnly, then we do
        // still need a regular expression if we have to case-insensitively
        // match capital/lowercase characters.
        const anyMagic = hasMagic ||
            this.#hasMagic ||
            (this.#options.nocase &&
                !this.#options.nocaseMagicOnly &&
                glob.toUpperCase() !== glob.toLowerCase());
        if (!anyMagic) {
            return body;
        }
        const flags = (this.#options.nocase ? 'i' : '') + (uflag ? 'u' : '');
        return Object.assign(new RegExp(`^${re}$`, flags), {
            _src: re,
            _glob: glob,
        });
    }
    get options() {
        return this.#options;
    }
    // returns the string match, the regexp source, whether there's magic
    // in the regexp (so a regular expression is required) and whether or
    // not the uflag is needed for the regular expression (for posix classes)
    // TODO: instead of injecting the start/end at this point, just return
    // the BODY of the regexp, along with the start/end portions suitable
    // for binding the start/end in either a joined full-path makeRe context
    // (where we bind to (^|/), or a standalone matchPart context (where
    // we bind to ^, and not /).  Otherwise slashes get duped!
    //
    // In part-matching mode, the start is:
    // - if not isStart: nothing
    // - if traversal possible, but not allowed: ^(?!\.\.?$)
    // - if dots allowed or not possible: ^
    // - if dots possible and not allowed: ^(?!\.)
    // end is:
    // - if not isEnd(): nothing
    // - else: $
    //
    // In full-path matching mode, we put the slash at the START of the
    // pattern, so start is:
    // - if first pattern: same as part-matching mode
    // - if not isStart(): nothing
    // - if traversal possible, but not allowed: /(?!\.\.?(?:$|/))
    // - if dots allowed or not possible: /
    // - if dots possible and not allowed: /(?!\.)
    // end is:
    // - if last pattern, same as part-matching mode
    // - else nothing
    //
    // Always put the (?:$|/) on negated tails, though, because that has to be
    // there to bind the end of the negated pattern portion, and it's easier to
    // just stick it in now rather than try to inject it later in the middle of
    // the pattern.
    //
    // We can just always return the same end, and leave it up to the caller
    // to know whether it's going to be used joined or in parts.
    // And, if the start is adjusted slightly, can do the same there:
    // - if not isStart: nothing
    // - if traversal possible, but not allowed: (?:/|^)(?!\.\.?$)
    // - if dots allowed or not possible: (?:/|^)
    // - if dots possible and not allowed: (?:/|^)(?!\.)
    //
    // But it's better to have a simpler binding without a conditional, for
    // performance, so probably better to return both start options.
    //
    // Then the caller just ignores the end if it's not the first pattern,
    // and the start always gets applied.
    //
    // But that's always going to be $ if it's the ending pattern, or nothing,
    // so the caller can just attach $ at the end of the pattern when building.
    //
    // So the todo is:
    // - better detect what kind of start is needed
    // - return both flavors of starting pattern
    // - attach $ at the end of the pattern when creating the actual RegExp
    //
    // Ah, but wait, no, that all only applies to the root when the first pattern
    // is not an extglob. If the first pattern IS an extglob, then we need all
    // that dot prevention biz to live in the extglob portions, because eg
    // +(*|.x*) can match .xy but not .yx.
    //
    // So, return the two flavors if it's #root and the first child is not an
    // AST, otherwise leave it to the child AST to handle it, and there,
    // use the (?:^|/) style of start binding.
    //
    // Even simplified further:
    // - Since the start for a join is eg /(?!\.) and the start for a part
    // is ^(?!\.), we can just prepend (?!\.) to the pattern (either root
    // or start or whatever) and prepend ^ or / at the Regexp construction.
    toRegExpSource(allowDot) {
        const dot = allowDot ?? !!this.#options.dot;
        if (this.#root === this) {
            this.#flatten();
            this.#fillNegs();
        }
        if (!isExtglobAST(this)) {
            const noEmpty = this.isStart() &&
                this.isEnd() &&
                !this.#parts.some(s => typeof s !== 'string');
            const src = this.#parts
                .map(p => {
                const [re, _, hasMagic, uflag] = typeof p === 'string' ?
                    _a.#parseGlob(p, this.#hasMagic, noEmpty)
                    : p.toRegExpSource(allowDot);
                this.#hasMagic = this.#hasMagic || hasMagic;
                this.#uflag = this.#uflag || uflag;
                return re;
            })
                .join('');
            let start = '';
            if (this.isStart()) {
                if (typeof this.#parts[0] === 'string') {
                    // this is the string that will match the start of the pattern,
                    // so we need to protect against dots and such.
                    // '.' and '..' cannot match unless the pattern is that exactly,
                    // even if it starts with . or dot:true is set.
                    const dotTravAllowed = this.#parts.length === 1 && justDots.has(this.#parts[0]);
                    if (!dotTravAllowed) {
                        const aps = addPatternStart;
                        // check if we have a possibility of matching . or ..,
                        // and prevent that.
                        const needNoTrav = 
                        // dots are allowed, and the pattern starts with [ or .
                        (dot && aps.has(src.charAt(0))) ||
                            // the pattern starts with \., and then [ or .
                            (src.startsWith('\\.') && aps.has(src.charAt(2))) ||
                            // the pattern starts with \.\., and then [ or .
                            (src.startsWith('\\.\\.') && aps.has(src.charAt(4)));
                        // no need to prevent dots if it can't match a dot, or if a
                        // sub-pattern will be preventing it anyway.
                        const needNoDot = !dot && !allowDot && aps.has(src.charAt(0));
                        start =
                            needNoTrav ? startNoTraversal
                                : needNoDot ? startNoDot
                                    : '';
                    }
                }
            }
            // append the "end of path portion" pattern to negation tails
            let end = '';
            if (this.isEnd() &&
                this.#root.#filledNegs &&
                this.#parent?.type === '!') {
                end = '(?:$|\\/)';
            }
            const final = start + src + end;
            return [
                final,
                unescape_unescape(src),
                (this.#hasMagic = !!this.#hasMagic),
                this.#uflag,
            ];
        }
        // We need to calculate the body *twice* if it's a repeat pattern
        // at the start, once in nodot mode, then again in dot mode, so a
        // pattern like *(?) can match 'x.y'
        const repeated = this.type === '*' || this.type === '+';
        // some kind of extglob
        const start = this.type === '!' ? '(?:(?!(?:' : '(?:';
        let body = this.#partsToRegExp(dot);
        if (this.isStart() && this.isEnd() && !body && this.type !== '!') {
            // invalid extglob, has to at least be *something* present, if it's
            // the entire path portion.
            const s = this.toString();
            const me = this;
            me.#parts = [s];
            me.type = null;
            me.#hasMagic = undefined;
            return [s, unescape_unescape(this.toString()), false, false];
        }
        let bodyDotAllowed = !repeated || allowDot || dot || !startNoDot ?
            ''
            : this.#partsToRegExp(true);
        if (bodyDotAllowed === body) {
            bodyDotAllowed = '';
        }
        if (bodyDotAllowed) {
            body = `(?:${body})(?:${bodyDotAllowed})*?`;
        }
        // an empty !() is exactly equivalent to a starNoEmpty
        let final = '';
        if (this.type === '!' && this.#emptyExt) {
            final = (this.isStart() && !dot ? startNoDot : '') + starNoEmpty;
        }
        else {
            const close = this.type === '!' ?
                // !() must match something,but !(x) can match ''
                '))' +
                    (this.isStart() && !dot && !allowDot ? startNoDot : '') +
                    star +
                    ')'
                : this.type === '@' ? ')'
                    : this.type === '?' ? ')?'
                        : this.type === '+' && bodyDotAllowed ? ')'
                            : this.type === '*' && bodyDotAllowed ? `)?`
                                : `)${this.type}`;
            final = start + body + close;
        }
        return [
            final,
            unescape_unescape(body),
            (this.#hasMagic = !!this.#hasMagic),
            this.#uflag,
        ];
    }
    #flatten() {
        if (!isExtglobAST(this)) {
            for (const p of this.#parts) {
                if (typeof p === 'object') {
                    p.#flatten();
                }
            }
        }
        else {
            // do up to 10 passes to flatten as much as possible
            let iterations = 0;
            let done = false;
            do {
                done = true;
                for (let i = 0; i < this.#parts.length; i++) {
                    const c = this.#parts[i];
                    if (typeof c === 'object') {
                        c.#flatten();
                        if (this.#canAdopt(c)) {
                            done = false;
                            this.#adopt(c, i);
                        }
                        else if (this.#canAdoptWithSpace(c)) {
                            done = false;
                            this.#adoptWithSpace(c, i);
                        }
                        else if (this.#canUsurp(c)) {
                            done = false;
                            this.#usurp(c);
                        }
                    }
                }
            } while (!done && ++iterations < 10);
        }
        this.#toString = undefined;
    }
    #partsToRegExp(dot) {
        return this.#parts
            .map(p => {
            // extglob ASTs should only contain parent ASTs
            /* c8 ignore start */
            if (typeof p === 'string') {
                throw new Error('string type in extglob ast??');
            }
            /* c8 ignore stop */
            // can ignore hasMagic, because extglobs are already always magic
            const [re, _, _hasMagic, uflag] = p.toRegExpSource(dot);
            this.#uflag = this.#uflag || uflag;
            return re;
        })
            .filter(p => !(this.isStart() && this.isEnd()) || !!p)
            .join('|');
    }
    static #parseGlob(glob, hasMagic, noEmpty = false) {
        let escaping = false;
        let re = '';
        let uflag = false;
        // multiple stars that aren't globstars coalesce into one *
        let inStar = false;
        for (let i = 0; i < glob.length; i++) {
            const c = glob.charAt(i);
            if (escaping) {
                escaping = false;
                re += (reSpecials.has(c) ? '\\' : '') + c;
                continue;
            }
            if (c === '*') {
                if (inStar)
                    continue;
                inStar = true;
                re += noEmpty && /^[*]+$/.test(glob) ? starNoEmpty : star;
                hasMagic = true;
                continue;
            }
            else {
                inStar = false;
            }
            if (c === '\\') {
                if (i === glob.length - 1) {
                    re += '\\\\';
                }
                else {
                    escaping = true;
                }
                continue;
            }
            if (c === '[') {
                const [src, needUflag, consumed, magic] = parseClass(glob, i);
                if (consumed) {
                    re += src;
                    uflag = uflag || needUflag;
                    i += consumed - 1;
                    hasMagic = hasMagic || magic;
                    continue;
                }
            }
            if (c === '?') {
                re += qmark;
                hasMagic = true;
                continue;
            }
            re += regExpEscape(c);
        }
        return [re, unescape_unescape(glob), !!hasMagic, uflag];
    }
}
_a = AST;
//# sourceMappingURL=ast.js.map
;// CONCATENATED MODULE: ./node_modules/minimatch/dist/esm/escape.js
/**
 * Escape all magic characters in a glob pattern.
 *
 * If the {@link MinimatchOptions.windowsPathsNoEscape}
 * option is used, then characters are escaped by wrapping in `[]`, because
 * a magic character wrapped in a character class can only be satisfied by
 * that exact character.  In this mode, `\` is _not_ escaped, because it is
 * not interpreted as a magic character, but instead as a path separator.
 *
 * If the {@link MinimatchOptions.magicalBraces} option is used,
 * then braces (`{` and `}`) will be escaped.
 */
const escape_escape = (s, { windowsPathsNoEscape = false, magicalBraces = false, } = {}) => {
    // don't need to escape +@! because we escape the parens
    // that make those magic, and escaping ! as [!] isn't valid,
    // because [!]] is a valid glob class meaning not ']'.
    if (magicalBraces) {
        return windowsPathsNoEscape ?
            s.replace(/[?*()[\]{}]/g, '[$&]')
            : s.replace(/[?*()[\]\\{}]/g, '\\$&');
    }
    return windowsPathsNoEscape ?
        s.replace(/[?*()[\]]/g, '[$&]')
        : s.replace(/[?*()[\]\\]/g, '\\$&');
};
//# sourceMappingURL=escape.js.map
;// CONCATENATED MODULE: ./node_modules/minimatch/dist/esm/index.js





const minimatch = (p, pattern, options = {}) => {
    assertValidPattern(pattern);
    // shortcut: comments match nothing.
    if (!options.nocomment && pattern.charAt(0) === '#') {
        return false;
    }
    return new Minimatch(pattern, options).match(p);
};
// Optimized checking for the most common glob patterns.
const starDotExtRE = /^\*+([^+@!?*[(]*)$/;
const starDotExtTest = (ext) => (f) => !f.startsWith('.') && f.endsWith(ext);
const starDotExtTestDot = (ext) => (f) => f.endsWith(ext);
const starDotExtTestNocase = (ext) => {
    ext = ext.toLowerCase();
    return (f) => !f.startsWith('.') && f.toLowerCase().endsWith(ext);
};
const starDotExtTestNocaseDot = (ext) => {
    ext = ext.toLowerCase();
    return (f) => f.toLowerCase().endsWith(ext);
};
const starDotStarRE = /^\*+\.\*+$/;
const starDotStarTest = (f) => !f.startsWith('.') && f.includes('.');
const starDotStarTestDot = (f) => f !== '.' && f !== '..' && f.includes('.');
const dotStarRE = /^\.\*+$/;
const dotStarTest = (f) => f !== '.' && f !== '..' && f.startsWith('.');
const starRE = /^\*+$/;
const starTest = (f) => f.length !== 0 && !f.startsWith('.');
const starTestDot = (f) => f.length !== 0 && f !== '.' && f !== '..';
const qmarksRE = /^\?+([^+@!?*[(]*)?$/;
const qmarksTestNocase = ([$0, ext = '']) => {
    const noext = qmarksTestNoExt([$0]);
    if (!ext)
        return noext;
    ext = ext.toLowerCase();
    return (f) => noext(f) && f.toLowerCase().endsWith(ext);
};
const qmarksTestNocaseDot = ([$0, ext = '']) => {
    const noext = qmarksTestNoExtDot([$0]);
    if (!ext)
        return noext;
    ext = ext.toLowerCase();
    return (f) => noext(f) && f.toLowerCase().endsWith(ext);
};
const qmarksTestDot = ([$0, ext = '']) => {
    const noext = qmarksTestNoExtDot([$0]);
    return !ext ? noext : (f) => noext(f) && f.endsWith(ext);
};
const qmarksTest = ([$0, ext = '']) => {
    const noext = qmarksTestNoExt([$0]);
    return !ext ? noext : (f) => noext(f) && f.endsWith(ext);
};
const qmarksTestNoExt = ([$0]) => {
    const len = $0.length;
    return (f) => f.length === len && !f.startsWith('.');
};
const qmarksTestNoExtDot = ([$0]) => {
    const len = $0.length;
    return (f) => f.length === len && f !== '.' && f !== '..';
};
/* c8 ignore start */
const defaultPlatform = (typeof process === 'object' && process ?
    (typeof process.env === 'object' &&
        process.env &&
        process.env.__MINIMATCH_TESTING_PLATFORM__) ||
        process.platform
    : 'posix');
const path = {
    win32: { sep: '\\' },
    posix: { sep: '/' },
};
/* c8 ignore stop */
const sep = defaultPlatform === 'win32' ? path.win32.sep : path.posix.sep;
minimatch.sep = sep;
const GLOBSTAR = Symbol('globstar **');
minimatch.GLOBSTAR = GLOBSTAR;
// any single thing other than /
// don't need to escape / when using new RegExp()
const esm_qmark = '[^/]';
// * => any number of characters
const esm_star = esm_qmark + '*?';
// ** when dots are allowed.  Anything goes, except .. and .
// not (^ or / followed by one or two dots followed by $ or /),
// followed by anything, any number of times.
const twoStarDot = '(?:(?!(?:\\/|^)(?:\\.{1,2})($|\\/)).)*?';
// not a ^ or / followed by a dot,
// followed by anything, any number of times.
const twoStarNoDot = '(?:(?!(?:\\/|^)\\.).)*?';
const filter = (pattern, options = {}) => (p) => minimatch(p, pattern, options);
minimatch.filter = filter;
const ext = (a, b = {}) => Object.assign({}, a, b);
const defaults = (def) => {
    if (!def || typeof def !== 'object' || !Object.keys(def).length) {
        return minimatch;
    }
    const orig = minimatch;
    const m = (p, pattern, options = {}) => orig(p, pattern, ext(def, options));
    return Object.assign(m, {
        Minimatch: class Minimatch extends orig.Minimatch {
            constructor(pattern, options = {}) {
                super(pattern, ext(def, options));
            }
            static defaults(options) {
                return orig.defaults(ext(def, options)).Minimatch;
            }
        },
        AST: class AST extends orig.AST {
            /* c8 ignore start */
            constructor(type, parent, options = {}) {
                super(type, parent, ext(def, options));
            }
            /* c8 ignore stop */
            static fromGlob(pattern, options = {}) {
                return orig.AST.fromGlob(pattern, ext(def, options));
            }
        },
        unescape: (s, options = {}) => orig.unescape(s, ext(def, options)),
        escape: (s, options = {}) => orig.escape(s, ext(def, options)),
        filter: (pattern, options = {}) => orig.filter(pattern, ext(def, options)),
        defaults: (options) => orig.defaults(ext(def, options)),
        makeRe: (pattern, options = {}) => orig.makeRe(pattern, ext(def, options)),
        braceExpand: (pattern, options = {}) => orig.braceExpand(pattern, ext(def, options)),
        match: (list, pattern, options = {}) => orig.match(list, pattern, ext(def, options)),
        sep: orig.sep,
        GLOBSTAR: GLOBSTAR,
    });
};
minimatch.defaults = defaults;
// Brace expansion:
// a{b,c}d -> abd acd
// a{b,}c -> abc ac
// a{0..3}d -> a0d a1d a2d a3d
// a{b,c{d,e}f}g -> abg acdfg acefg
// a{b,c}d{e,f}g -> abdeg acdeg abdeg abdfg
//
// Invalid sets are not expanded.
// a{2..}b -> a{2..}b
// a{b}c -> a{b}c
const braceExpand = (pattern, options = {}) => {
    assertValidPattern(pattern);
    // Thanks to Yeting Li <https://github.com/yetingli> for
    // improving this regexp to avoid a ReDOS vulnerability.
    if (options.nobrace || !/\{(?:(?!\{).)*\}/.test(pattern)) {
        // shortcut. no need to expand.
        return [pattern];
    }
    return expand(pattern, { max: options.braceExpandMax });
};
minimatch.braceExpand = braceExpand;
// parse a component of the expanded set.
// At this point, no pattern may contain "/" in it
// so we're going to return a 2d array, where each entry is the full
// pattern, split on '/', and then turned into a regular expression.
// A regexp is made at the end which joins each array with an
// escaped /, and another full one which joins each regexp with |.
//
// Following the lead of Bash 4.1, note that "**" only has special meaning
// when it is the *only* thing in a path portion.  Otherwise, any series
// of * is equivalent to a single *.  Globstar behavior is enabled by
// default, and can be disabled by setting options.noglobstar.
const makeRe = (pattern, options = {}) => new Minimatch(pattern, options).makeRe();
minimatch.makeRe = makeRe;
const match = (list, pattern, options = {}) => {
    const mm = new Minimatch(pattern, options);
    list = list.filter(f => mm.match(f));
    if (mm.options.nonull && !list.length) {
        list.push(pattern);
    }
    return list;
};
minimatch.match = match;
// replace stuff like \* with *
const globMagic = /[?*]|[+@!]\(.*?\)|\[|\]/;
const esm_regExpEscape = (s) => s.replace(/[-[\]{}()*+?.,\\^$|#\s]/g, '\\$&');
class Minimatch {
    options;
    set;
    pattern;
    windowsPathsNoEscape;
    nonegate;
    negate;
    comment;
    empty;
    preserveMultipleSlashes;
    partial;
    globSet;
    globParts;
    nocase;
    isWindows;
    platform;
    windowsNoMagicRoot;
    maxGlobstarRecursion;
    regexp;
    constructor(pattern, options = {}) {
        assertValidPattern(pattern);
        options = options || {};
        this.options = options;
        this.maxGlobstarRecursion = options.maxGlobstarRecursion ?? 200;
        this.pattern = pattern;
        this.platform = options.platform || defaultPlatform;
        this.isWindows = this.platform === 'win32';
        // avoid the annoying deprecation flag lol
        const awe = ('allowWindow' + 'sEscape');
        this.windowsPathsNoEscape =
            !!options.windowsPathsNoEscape || options[awe] === false;
        if (this.windowsPathsNoEscape) {
            this.pattern = this.pattern.replace(/\\/g, '/');
        }
        this.preserveMultipleSlashes = !!options.preserveMultipleSlashes;
        this.regexp = null;
        this.negate = false;
        this.nonegate = !!options.nonegate;
        this.comment = false;
        this.empty = false;
        this.partial = !!options.partial;
        this.nocase = !!this.options.nocase;
        this.windowsNoMagicRoot =
            options.windowsNoMagicRoot !== undefined ?
                options.windowsNoMagicRoot
                : !!(this.isWindows && this.nocase);
        this.globSet = [];
        this.globParts = [];
        this.set = [];
        // make the set of regexps etc.
        this.make();
    }
    hasMagic() {
        if (this.options.magicalBraces && this.set.length > 1) {
            return true;
        }
        for (const pattern of this.set) {
            for (const part of pattern) {
                if (typeof part !== 'string')
                    return true;
            }
        }
        return false;
    }
    debug(..._) { }
    make() {
        const pattern = this.pattern;
        const options = this.options;
        // empty patterns and comments match nothing.
        if (!options.nocomment && pattern.charAt(0) === '#') {
            this.comment = true;
            return;
        }
        if (!pattern) {
            this.empty = true;
            return;
        }
        // step 1: figure out negation, etc.
        this.parseNegate();
        // step 2: expand braces
        this.globSet = [...new Set(this.braceExpand())];
        if (options.debug) {
            //oxlint-disable-next-line no-console
            this.debug = (...args) => console.error(...args);
        }
        this.debug(this.pattern, this.globSet);
        // step 3: now we have a set, so turn each one into a series of
        // path-portion matching patterns.
        // These will be regexps, except in the case of "**", which is
        // set to the GLOBSTAR object for globstar behavior,
        // and will not contain any / characters
        //
        // First, we preprocess to make the glob pattern sets a bit simpler
        // and deduped.  There are some perf-killing patterns that can cause
        // problems with a glob walk, but we can simplify them down a bit.
        const rawGlobParts = this.globSet.map(s => this.slashSplit(s));
        this.globParts = this.preprocess(rawGlobParts);
        this.debug(this.pattern, this.globParts);
        // glob --> regexps
        let set = this.globParts.map((s, _, __) => {
            if (this.isWindows && this.windowsNoMagicRoot) {
                // check if it's a drive or unc path.
                const isUNC = s[0] === '' &&
                    s[1] === '' &&
                    (s[2] === '?' || !globMagic.test(s[2])) &&
                    !globMagic.test(s[3]);
                const isDrive = /^[a-z]:/i.test(s[0]);
                if (isUNC) {
                    return [
                        ...s.slice(0, 4),
                        ...s.slice(4).map(ss => this.parse(ss)),
                    ];
                }
                else if (isDrive) {
                    return [s[0], ...s.slice(1).map(ss => this.parse(ss))];
                }
            }
            return s.map(ss => this.parse(ss));
        });
        this.debug(this.pattern, set);
        // filter out everything that didn't compile properly.
        this.set = set.filter(s => s.indexOf(false) === -1);
        // do not treat the ? in UNC paths as magic
        if (this.isWindows) {
            for (let i = 0; i < this.set.length; i++) {
                const p = this.set[i];
                if (p[0] === '' &&
                    p[1] === '' &&
                    this.globParts[i][2] === '?' &&
                    typeof p[3] === 'string' &&
                    /^[a-z]:$/i.test(p[3])) {
                    p[2] = '?';
                }
            }
        }
        this.debug(this.pattern, this.set);
    }
    // various transforms to equivalent pattern sets that are
    // faster to process in a filesystem walk.  The goal is to
    // eliminate what we can, and push all ** patterns as far
    // to the right as possible, even if it increases the number
    // of patterns that we have to process.
    preprocess(globParts) {
        // if we're not in globstar mode, then turn ** into *
        if (this.options.noglobstar) {
            for (const partset of globParts) {
                for (let j = 0; j < partset.length; j++) {
                    if (partset[j] === '**') {
                        partset[j] = '*';
                    }
                }
            }
        }
        const { optimizationLevel = 1 } = this.options;
        if (optimizationLevel >= 2) {
            // aggressive optimization for the purpose of fs walking
            globParts = this.firstPhasePreProcess(globParts);
            globParts = this.secondPhasePreProcess(globParts);
        }
        else if (optimizationLevel >= 1) {
            // just basic optimizations to remove some .. parts
            globParts = this.levelOneOptimize(globParts);
        }
        else {
            // just collapse multiple ** portions into one
            globParts = this.adjascentGlobstarOptimize(globParts);
        }
        return globParts;
    }
    // just get rid of adjascent ** portions
    adjascentGlobstarOptimize(globParts) {
        return globParts.map(parts => {
            let gs = -1;
            while (-1 !== (gs = parts.indexOf('**', gs + 1))) {
                let i = gs;
                while (parts[i + 1] === '**') {
                    i++;
                }
                if (i !== gs) {
                    parts.splice(gs, i - gs);
                }
            }
            return parts;
        });
    }
    // get rid of adjascent ** and resolve .. portions
    levelOneOptimize(globParts) {
        return globParts.map(parts => {
            parts = parts.reduce((set, part) => {
                const prev = set[set.length - 1];
                if (part === '**' && prev === '**') {
                    return set;
                }
                if (part === '..') {
                    if (prev && prev !== '..' && prev !== '.' && prev !== '**') {
                        set.pop();
                        return set;
                    }
                }
                set.push(part);
                return set;
            }, []);
            return parts.length === 0 ? [''] : parts;
        });
    }
    levelTwoFileOptimize(parts) {
        if (!Array.isArray(parts)) {
            parts = this.slashSplit(parts);
        }
        let didSomething = false;
        do {
            didSomething = false;
            // <pre>/<e>/<rest> -> <pre>/<rest>
            if (!this.preserveMultipleSlashes) {
                for (let i = 1; i < parts.length - 1; i++) {
                    const p = parts[i];
                    // don't squeeze out UNC patterns
                    if (i === 1 && p === '' && parts[0] === '')
                        continue;
                    if (p === '.' || p === '') {
                        didSomething = true;
                        parts.splice(i, 1);
                        i--;
                    }
                }
                if (parts[0] === '.' &&
                    parts.length === 2 &&
                    (parts[1] === '.' || parts[1] === '')) {
                    didSomething = true;
                    parts.pop();
                }
            }
            // <pre>/<p>/../<rest> -> <pre>/<rest>
            let dd = 0;
            while (-1 !== (dd = parts.indexOf('..', dd + 1))) {
                const p = parts[dd - 1];
                if (p &&
                    p !== '.' &&
                    p !== '..' &&
                    p !== '**' &&
                    !(this.isWindows && /^[a-z]:$/i.test(p))) {
                    didSomething = true;
                    parts.splice(dd - 1, 2);
                    dd -= 2;
                }
            }
        } while (didSomething);
        return parts.length === 0 ? [''] : parts;
    }
    // First phase: single-pattern processing
    // <pre> is 1 or more portions
    // <rest> is 1 or more portions
    // <p> is any portion other than ., .., '', or **
    // <e> is . or ''
    //
    // **/.. is *brutal* for filesystem walking performance, because
    // it effectively resets the recursive walk each time it occurs,
    // and ** cannot be reduced out by a .. pattern part like a regexp
    // or most strings (other than .., ., and '') can be.
    //
    // <pre>/**/../<p>/<p>/<rest> -> {<pre>/../<p>/<p>/<rest>,<pre>/**/<p>/<p>/<rest>}
    // <pre>/<e>/<rest> -> <pre>/<rest>
    // <pre>/<p>/../<rest> -> <pre>/<rest>
    // **/**/<rest> -> **/<rest>
    //
    // **/*/<rest> -> */**/<rest> <== not valid because ** doesn't follow
    // this WOULD be allowed if ** did follow symlinks, or * didn't
    firstPhasePreProcess(globParts) {
        let didSomething = false;
        do {
            didSomething = false;
            // <pre>/**/../<p>/<p>/<rest> -> {<pre>/../<p>/<p>/<rest>,<pre>/**/<p>/<p>/<rest>}
            for (let parts of globParts) {
                let gs = -1;
                while (-1 !== (gs = parts.indexOf('**', gs + 1))) {
                    let gss = gs;
                    while (parts[gss + 1] === '**') {
                        // <pre>/**/**/<rest> -> <pre>/**/<rest>
                        gss++;
                    }
                    // eg, if gs is 2 and gss is 4, that means we have 3 **
                    // parts, and can remove 2 of them.
                    if (gss > gs) {
                        parts.splice(gs + 1, gss - gs);
                    }
                    let next = parts[gs + 1];
                    const p = parts[gs + 2];
                    const p2 = parts[gs + 3];
                    if (next !== '..')
                        continue;
                    if (!p ||
                        p === '.' ||
                        p === '..' ||
                        !p2 ||
                        p2 === '.' ||
                        p2 === '..') {
                        continue;
                    }
                    didSomething = true;
                    // edit parts in place, and push the new one
                    parts.splice(gs, 1);
                    const other = parts.slice(0);
                    other[gs] = '**';
                    globParts.push(other);
                    gs--;
                }
                // <pre>/<e>/<rest> -> <pre>/<rest>
                if (!this.preserveMultipleSlashes) {
                    for (let i = 1; i < parts.length - 1; i++) {
                        const p = parts[i];
                        // don't squeeze out UNC patterns
                        if (i === 1 && p === '' && parts[0] === '')
                            continue;
                        if (p === '.' || p === '') {
                            didSomething = true;
                            parts.splice(i, 1);
                            i--;
                        }
                    }
                    if (parts[0] === '.' &&
                        parts.length === 2 &&
                        (parts[1] === '.' || parts[1] === '')) {
                        didSomething = true;
                        parts.pop();
                    }
                }
                // <pre>/<p>/../<rest> -> <pre>/<rest>
                let dd = 0;
                while (-1 !== (dd = parts.indexOf('..', dd + 1))) {
                    const p = parts[dd - 1];
                    if (p && p !== '.' && p !== '..' && p !== '**') {
                        didSomething = true;
                        const needDot = dd === 1 && parts[dd + 1] === '**';
                        const splin = needDot ? ['.'] : [];
                        parts.splice(dd - 1, 2, ...splin);
                        if (parts.length === 0)
                            parts.push('');
                        dd -= 2;
                    }
                }
            }
        } while (didSomething);
        return globParts;
    }
    // second phase: multi-pattern dedupes
    // {<pre>/*/<rest>,<pre>/<p>/<rest>} -> <pre>/*/<rest>
    // {<pre>/<rest>,<pre>/<rest>} -> <pre>/<rest>
    // {<pre>/**/<rest>,<pre>/<rest>} -> <pre>/**/<rest>
    //
    // {<pre>/**/<rest>,<pre>/**/<p>/<rest>} -> <pre>/**/<rest>
    // ^-- not valid because ** doens't follow symlinks
    secondPhasePreProcess(globParts) {
        for (let i = 0; i < globParts.length - 1; i++) {
            for (let j = i + 1; j < globParts.length; j++) {
                const matched = this.partsMatch(globParts[i], globParts[j], !this.preserveMultipleSlashes);
                if (matched) {
                    globParts[i] = [];
                    globParts[j] = matched;
                    break;
                }
            }
        }
        return globParts.filter(gs => gs.length);
    }
    partsMatch(a, b, emptyGSMatch = false) {
        let ai = 0;
        let bi = 0;
        let result = [];
        let which = '';
        while (ai < a.length && bi < b.length) {
            if (a[ai] === b[bi]) {
                result.push(which === 'b' ? b[bi] : a[ai]);
                ai++;
                bi++;
            }
            else if (emptyGSMatch && a[ai] === '**' && b[bi] === a[ai + 1]) {
                result.push(a[ai]);
                ai++;
            }
            else if (emptyGSMatch && b[bi] === '**' && a[ai] === b[bi + 1]) {
                result.push(b[bi]);
                bi++;
            }
            else if (a[ai] === '*' &&
                b[bi] &&
                (this.options.dot || !b[bi].startsWith('.')) &&
                b[bi] !== '**') {
                if (which === 'b')
                    return false;
                which = 'a';
                result.push(a[ai]);
                ai++;
                bi++;
            }
            else if (b[bi] === '*' &&
                a[ai] &&
                (this.options.dot || !a[ai].startsWith('.')) &&
                a[ai] !== '**') {
                if (which === 'a')
                    return false;
                which = 'b';
                result.push(b[bi]);
                ai++;
                bi++;
            }
            else {
                return false;
            }
        }
        // if we fall out of the loop, it means they two are identical
        // as long as their lengths match
        return a.length === b.length && result;
    }
    parseNegate() {
        if (this.nonegate)
            return;
        const pattern = this.pattern;
        let negate = false;
        let negateOffset = 0;
        for (let i = 0; i < pattern.length && pattern.charAt(i) === '!'; i++) {
            negate = !negate;
            negateOffset++;
        }
        if (negateOffset)
            this.pattern = pattern.slice(negateOffset);
        this.negate = negate;
    }
    // set partial to true to test if, for example,
    // "/a/b" matches the start of "/*/b/*/d"
    // Partial means, if you run out of file before you run
    // out of pattern, then that's fine, as long as all
    // the parts match.
    matchOne(file, pattern, partial = false) {
        let fileStartIndex = 0;
        let patternStartIndex = 0;
        // UNC paths like //?/X:/... can match X:/... and vice versa
        // Drive letters in absolute drive or unc paths are always compared
        // case-insensitively.
        if (this.isWindows) {
            const fileDrive = typeof file[0] === 'string' && /^[a-z]:$/i.test(file[0]);
            const fileUNC = !fileDrive &&
                file[0] === '' &&
                file[1] === '' &&
                file[2] === '?' &&
                /^[a-z]:$/i.test(file[3]);
            const patternDrive = typeof pattern[0] === 'string' && /^[a-z]:$/i.test(pattern[0]);
            const patternUNC = !patternDrive &&
                pattern[0] === '' &&
                pattern[1] === '' &&
                pattern[2] === '?' &&
                typeof pattern[3] === 'string' &&
                /^[a-z]:$/i.test(pattern[3]);
            const fdi = fileUNC ? 3
                : fileDrive ? 0
                    : undefined;
            const pdi = patternUNC ? 3
                : patternDrive ? 0
                    : undefined;
            if (typeof fdi === 'number' && typeof pdi === 'number') {
                const [fd, pd] = [
                    file[fdi],
                    pattern[pdi],
                ];
                // start matching at the drive letter index of each
                if (fd.toLowerCase() === pd.toLowerCase()) {
                    pattern[pdi] = fd;
                    patternStartIndex = pdi;
                    fileStartIndex = fdi;
                }
            }
        }
        // resolve and reduce . and .. portions in the file as well.
        // don't need to do the second phase, because it's only one string[]
        const { optimizationLevel = 1 } = this.options;
        if (optimizationLevel >= 2) {
            file = this.levelTwoFileOptimize(file);
        }
        if (pattern.includes(GLOBSTAR)) {
            return this.#matchGlobstar(file, pattern, partial, fileStartIndex, patternStartIndex);
        }
        return this.#matchOne(file, pattern, partial, fileStartIndex, patternStartIndex);
    }
    #matchGlobstar(file, pattern, partial, fileIndex, patternIndex) {
        // split the pattern into head, tail, and middle of ** delimited parts
        const firstgs = pattern.indexOf(GLOBSTAR, patternIndex);
        const lastgs = pattern.lastIndexOf(GLOBSTAR);
        // split the pattern up into globstar-delimited sections
        // the tail has to be at the end, and the others just have
        // to be found in order from the head.
        const [head, body, tail] = partial ?
            [
                pattern.slice(patternIndex, firstgs),
                pattern.slice(firstgs + 1),
                [],
            ]
            : [
                pattern.slice(patternIndex, firstgs),
                pattern.slice(firstgs + 1, lastgs),
                pattern.slice(lastgs + 1),
            ];
        // check the head, from the current file/pattern index.
        if (head.length) {
            const fileHead = file.slice(fileIndex, fileIndex + head.length);
            if (!this.#matchOne(fileHead, head, partial, 0, 0)) {
                return false;
            }
            fileIndex += head.length;
            patternIndex += head.length;
        }
        // now we know the head matches!
        // if the last portion is not empty, it MUST match the end
        // check the tail
        let fileTailMatch = 0;
        if (tail.length) {
            // if head + tail > file, then we cannot possibly match
            if (tail.length + fileIndex > file.length)
                return false;
            // try to match the tail
            let tailStart = file.length - tail.length;
            if (this.#matchOne(file, tail, partial, tailStart, 0)) {
                fileTailMatch = tail.length;
            }
            else {
                // affordance for stuff like a/**/* matching a/b/
                // if the last file portion is '', and there's more to the pattern
                // then try without the '' bit.
                if (file[file.length - 1] !== '' ||
                    fileIndex + tail.length === file.length) {
                    return false;
                }
                tailStart--;
                if (!this.#matchOne(file, tail, partial, tailStart, 0)) {
                    return false;
                }
                fileTailMatch = tail.length + 1;
            }
        }
        // now we know the tail matches!
        // the middle is zero or more portions wrapped in **, possibly
        // containing more ** sections.
        // so a/**/b/**/c/**/d has become **/b/**/c/**
        // if it's empty, it means a/**/b, just verify we have no bad dots
        // if there's no tail, so it ends on /**, then we must have *something*
        // after the head, or it's not a matc
        if (!body.length) {
            let sawSome = !!fileTailMatch;
            for (let i = fileIndex; i < file.length - fileTailMatch; i++) {
                const f = String(file[i]);
                sawSome = true;
                if (f === '.' ||
                    f === '..' ||
                    (!this.options.dot && f.startsWith('.'))) {
                    return false;
                }
            }
            // in partial mode, we just need to get past all file parts
            return partial || sawSome;
        }
        // now we know that there's one or more body sections, which can
        // be matched anywhere from the 0 index (because the head was pruned)
        // through to the length-fileTailMatch index.
        // split the body up into sections, and note the minimum index it can
        // be found at (start with the length of all previous segments)
        // [section, before, after]
        const bodySegments = [[[], 0]];
        let currentBody = bodySegments[0];
        let nonGsParts = 0;
        const nonGsPartsSums = [0];
        for (const b of body) {
            if (b === GLOBSTAR) {
                nonGsPartsSums.push(nonGsParts);
                currentBody = [[], 0];
                bodySegments.push(currentBody);
            }
            else {
                currentBody[0].push(b);
                nonGsParts++;
            }
        }
        let i = bodySegments.length - 1;
        const fileLength = file.length - fileTailMatch;
        for (const b of bodySegments) {
            b[1] = fileLength - (nonGsPartsSums[i--] + b[0].length);
        }
        return !!this.#matchGlobStarBodySections(file, bodySegments, fileIndex, 0, partial, 0, !!fileTailMatch);
    }
    // return false for "nope, not matching"
    // return null for "not matching, cannot keep trying"
    #matchGlobStarBodySections(file, 
    // pattern section, last possible position for it
    bodySegments, fileIndex, bodyIndex, partial, globStarDepth, sawTail) {
        // take the first body segment, and walk from fileIndex to its "after"
        // value at the end
        // If it doesn't match at that position, we increment, until we hit
        // that final possible position, and give up.
        // If it does match, then advance and try to rest.
        // If any of them fail we keep walking forward.
        // this is still a bit recursively painful, but it's more constrained
        // than previous implementations, because we never test something that
        // can't possibly be a valid matching condition.
        const bs = bodySegments[bodyIndex];
        if (!bs) {
            // just make sure that there's no bad dots
            for (let i = fileIndex; i < file.length; i++) {
                sawTail = true;
                const f = file[i];
                if (f === '.' ||
                    f === '..' ||
                    (!this.options.dot && f.startsWith('.'))) {
                    return false;
                }
            }
            return sawTail;
        }
        // have a non-globstar body section to test
        const [body, after] = bs;
        while (fileIndex <= after) {
            const m = this.#matchOne(file.slice(0, fileIndex + body.length), body, partial, fileIndex, 0);
            // if limit exceeded, no match. intentional false negative,
            // acceptable break in correctness for security.
            if (m && globStarDepth < this.maxGlobstarRecursion) {
                // match! see if the rest match. if so, we're done!
                const sub = this.#matchGlobStarBodySections(file, bodySegments, fileIndex + body.length, bodyIndex + 1, partial, globStarDepth + 1, sawTail);
                if (sub !== false) {
                    return sub;
                }
            }
            const f = file[fileIndex];
            if (f === '.' ||
                f === '..' ||
                (!this.options.dot && f.startsWith('.'))) {
                return false;
            }
            fileIndex++;
        }
        // walked off. no point continuing
        return partial || null;
    }
    #matchOne(file, pattern, partial, fileIndex, patternIndex) {
        let fi;
        let pi;
        let pl;
        let fl;
        for (fi = fileIndex,
            pi = patternIndex,
            fl = file.length,
            pl = pattern.length; fi < fl && pi < pl; fi++, pi++) {
            this.debug('matchOne loop');
            let p = pattern[pi];
            let f = file[fi];
            this.debug(pattern, p, f);
            // should be impossible.
            // some invalid regexp stuff in the set.
            /* c8 ignore start */
            if (p === false || p === GLOBSTAR) {
                return false;
            }
            /* c8 ignore stop */
            // something other than **
            // non-magic patterns just have to match exactly
            // patterns with magic have been turned into regexps.
            let hit;
            if (typeof p === 'string') {
                hit = f === p;
                this.debug('string match', p, f, hit);
            }
            else {
                hit = p.test(f);
                this.debug('pattern match', p, f, hit);
            }
            if (!hit)
                return false;
        }
        // Note: ending in / means that we'll get a final ""
        // at the end of the pattern.  This can only match a
        // corresponding "" at the end of the file.
        // If the file ends in /, then it can only match a
        // a pattern that ends in /, unless the pattern just
        // doesn't have any more for it. But, a/b/ should *not*
        // match "a/b/*", even though "" matches against the
        // [^/]*? pattern, except in partial mode, where it might
        // simply not be reached yet.
        // However, a/b/ should still satisfy a/*
        // now either we fell off the end of the pattern, or we're done.
        if (fi === fl && pi === pl) {
            // ran out of pattern and filename at the same time.
            // an exact hit!
            return true;
        }
        else if (fi === fl) {
            // ran out of file, but still had pattern left.
            // this is ok if we're doing the match as part of
            // a glob fs traversal.
            return partial;
        }
        else if (pi === pl) {
            // ran out of pattern, still have file left.
            // this is only acceptable if we're on the very last
            // empty segment of a file with a trailing slash.
            // a/* should match a/b/
            return fi === fl - 1 && file[fi] === '';
            /* c8 ignore start */
        }
        else {
            // should be unreachable.
            throw new Error('wtf?');
        }
        /* c8 ignore stop */
    }
    braceExpand() {
        return braceExpand(this.pattern, this.options);
    }
    parse(pattern) {
        assertValidPattern(pattern);
        const options = this.options;
        // shortcuts
        if (pattern === '**')
            return GLOBSTAR;
        if (pattern === '')
            return '';
        // far and away, the most common glob pattern parts are
        // *, *.*, and *.<ext>  Add a fast check method for those.
        let m;
        let fastTest = null;
        if ((m = pattern.match(starRE))) {
            fastTest = options.dot ? starTestDot : starTest;
        }
        else if ((m = pattern.match(starDotExtRE))) {
            fastTest = (options.nocase ?
                options.dot ?
                    starDotExtTestNocaseDot
                    : starDotExtTestNocase
                : options.dot ? starDotExtTestDot
                    : starDotExtTest)(m[1]);
        }
        else if ((m = pattern.match(qmarksRE))) {
            fastTest = (options.nocase ?
                options.dot ?
                    qmarksTestNocaseDot
                    : qmarksTestNocase
                : options.dot ? qmarksTestDot
                    : qmarksTest)(m);
        }
        else if ((m = pattern.match(starDotStarRE))) {
            fastTest = options.dot ? starDotStarTestDot : starDotStarTest;
        }
        else if ((m = pattern.match(dotStarRE))) {
            fastTest = dotStarTest;
        }
        const re = AST.fromGlob(pattern, this.options).toMMPattern();
        if (fastTest && typeof re === 'object') {
            // Avoids overriding in frozen environments
            Reflect.defineProperty(re, 'test', { value: fastTest });
        }
        return re;
    }
    makeRe() {
        if (this.regexp || this.regexp === false)
            return this.regexp;
        // at this point, this.set is a 2d array of partial
        // pattern strings, or "**".
        //
        // It's better to use .match().  This function shouldn't
        // be used, really, but it's pretty convenient sometimes,
        // when you just want to work with a regex.
        const set = this.set;
        if (!set.length) {
            this.regexp = false;
            return this.regexp;
        }
        const options = this.options;
        const twoStar = options.noglobstar ? esm_star
            : options.dot ? twoStarDot
                : twoStarNoDot;
        const flags = new Set(options.nocase ? ['i'] : []);
        // regexpify non-globstar patterns
        // if ** is only item, then we just do one twoStar
        // if ** is first, and there are more, prepend (\/|twoStar\/)? to next
        // if ** is last, append (\/twoStar|) to previous
        // if ** is in the middle, append (\/|\/twoStar\/) to previous
        // then filter out GLOBSTAR symbols
        let re = set
            .map(pattern => {
            const pp = pattern.map(p => {
                if (p instanceof RegExp) {
                    for (const f of p.flags.split(''))
                        flags.add(f);
                }
                return (typeof p === 'string' ? esm_regExpEscape(p)
                    : p === GLOBSTAR ? GLOBSTAR
                        : p._src);
            });
            pp.forEach((p, i) => {
                const next = pp[i + 1];
                const prev = pp[i - 1];
                if (p !== GLOBSTAR || prev === GLOBSTAR) {
                    return;
                }
                if (prev === undefined) {
                    if (next !== undefined && next !== GLOBSTAR) {
                        pp[i + 1] = '(?:\\/|' + twoStar + '\\/)?' + next;
                    }
                    else {
                        pp[i] = twoStar;
                    }
                }
                else if (next === undefined) {
                    pp[i - 1] = prev + '(?:\\/|\\/' + twoStar + ')?';
                }
                else if (next !== GLOBSTAR) {
                    pp[i - 1] = prev + '(?:\\/|\\/' + twoStar + '\\/)' + next;
                    pp[i + 1] = GLOBSTAR;
                }
            });
            const filtered = pp.filter(p => p !== GLOBSTAR);
            // For partial matches, we need to make the pattern match
            // any prefix of the full path. We do this by generating
            // alternative patterns that match progressively longer prefixes.
            if (this.partial && filtered.length >= 1) {
                const prefixes = [];
                for (let i = 1; i <= filtered.length; i++) {
                    prefixes.push(filtered.slice(0, i).join('/'));
                }
                return '(?:' + prefixes.join('|') + ')';
            }
            return filtered.join('/');
        })
            .join('|');
        // need to wrap in parens if we had more than one thing with |,
        // otherwise only the first will be anchored to ^ and the last to $
        const [open, close] = set.length > 1 ? ['(?:', ')'] : ['', ''];
        // must match entire pattern
        // ending in a * or ** will make it less strict.
        re = '^' + open + re + close + '$';
        // In partial mode, '/' should always match as it's a valid prefix for any pattern
        if (this.partial) {
            re = '^(?:\\/|' + open + re.slice(1, -1) + close + ')$';
        }
        // can match anything, as long as it's not this.
        if (this.negate)
            re = '^(?!' + re + ').+$';
        try {
            this.regexp = new RegExp(re, [...flags].join(''));
            /* c8 ignore start */
        }
        catch {
            // should be impossible
            this.regexp = false;
        }
        /* c8 ignore stop */
        return this.regexp;
    }
    slashSplit(p) {
        // if p starts with // on windows, we preserve that
        // so that UNC paths aren't broken.  Otherwise, any number of
        // / characters are coalesced into one, unless
        // preserveMultipleSlashes is set to true.
        if (this.preserveMultipleSlashes) {
            return p.split('/');
        }
        else if (this.isWindows && /^\/\/[^/]+/.test(p)) {
            // add an extra '' for the one we lose
            return ['', ...p.split(/\/+/)];
        }
        else {
            return p.split(/\/+/);
        }
    }
    match(f, partial = this.partial) {
        this.debug('match', f, this.pattern);
        // short-circuit in the case of busted things.
        // comments, etc.
        if (this.comment) {
            return false;
        }
        if (this.empty) {
            return f === '';
        }
        if (f === '/' && partial) {
            return true;
        }
        const options = this.options;
        // windows: need to use /, not \
        if (this.isWindows) {
            f = f.split('\\').join('/');
        }
        // treat the test path as a set of pathparts.
        const ff = this.slashSplit(f);
        this.debug(this.pattern, 'split', ff);
        // just ONE of the pattern sets in this.set needs to match
        // in order for it to be valid.  If negating, then just one
        // match means that we have failed.
        // Either way, return on the first hit.
        const set = this.set;
        this.debug(this.pattern, 'set', set);
        // Find the basename of the path by looking for the last non-empty segment
        let filename = ff[ff.length - 1];
        if (!filename) {
            for (let i = ff.length - 2; !filename && i >= 0; i--) {
                filename = ff[i];
            }
        }
        for (const pattern of set) {
            let file = ff;
            if (options.matchBase && pattern.length === 1) {
                file = [filename];
            }
            const hit = this.matchOne(file, pattern, partial);
            if (hit) {
                if (options.flipNegate) {
                    return true;
                }
                return !this.negate;
            }
        }
        // didn't get any hits.  this is success if it's a negative
        // pattern, failure otherwise.
        if (options.flipNegate) {
            return false;
        }
        return this.negate;
    }
    static defaults(def) {
        return minimatch.defaults(def).Minimatch;
    }
}
/* c8 ignore start */



/* c8 ignore stop */
minimatch.AST = AST;
minimatch.Minimatch = Minimatch;
minimatch.escape = escape_escape;
minimatch.unescape = unescape_unescape;
//# sourceMappingURL=index.js.map
;// CONCATENATED MODULE: ./lib/media/glob.js

/** A class in brackets, as far as it goes: `]` first in it is a member, and `[:alpha:]` may be one. */
const CLASS = /^\[[!^]?\]?(?:\[:[a-z]+:\]|\\.|[^\]\\])*\]/u;
/**
 * Whether a name fits a pattern of one path segment: `*`, `?`, classes and `\\`. Classes mean what they mean to
 * `minimatch`; the rest is our own, because its regular expressions take for ever on a pattern with many stars.
 */
function globOf(pattern, ignoresCase) {
    const tokens = tokensOf(pattern, ignoresCase);
    return (name) => fits(tokens, Array.from(name));
}
function tokensOf(pattern, ignoresCase) {
    const tokens = [];
    let rest = pattern;
    while (rest !== '') {
        // A bracket that nothing closes is looked at once, not once for every bracket.
        const text = (rest.includes(']') ? CLASS.exec(rest)?.[0] : undefined) ?? /^\\[^]|^[^]/u.exec(rest)?.[0] ?? rest;
        rest = rest.slice(text.length);
        if (text !== '*')
            tokens.push(oneCharacter(text, ignoresCase));
        else if (tokens.at(-1) !== 'many')
            tokens.push('many');
    }
    return tokens;
}
function oneCharacter(text, ignoresCase) {
    if (text === '?')
        return () => true;
    if (text.length > 2 && text.startsWith('['))
        return classOf(text, ignoresCase);
    const literal = text.startsWith('\\') && text.length > 1 ? text.slice(1) : text;
    return ignoresCase
        ? (character) => character.toLowerCase() === literal.toLowerCase()
        : (character) => character === literal;
}
function classOf(text, ignoresCase) {
    const parsed = new Minimatch(text, {
        dot: true,
        nobrace: true,
        nocase: ignoresCase,
        noext: true,
        nonegate: true,
        nocomment: true,
        platform: 'linux',
    }).set[0]?.[0];
    if (parsed instanceof RegExp)
        return (character) => parsed.test(character);
    return (character) => character === parsed;
}
/** Goes back to the last star only: an earlier one could not do what that one cannot. So the time is bounded. */
function fits(tokens, name) {
    let at = 0;
    let token = 0;
    let star;
    while (at < name.length) {
        const current = tokens[token];
        if (current === 'many') {
            star = { token, at };
            token += 1;
        }
        else if (current?.(name[at] ?? '')) {
            at += 1;
            token += 1;
        }
        else if (star) {
            star.at += 1;
            at = star.at;
            token = star.token + 1;
        }
        else {
            return false;
        }
    }
    while (tokens[token] === 'many')
        token += 1;
    return token === tokens.length;
}

;// CONCATENATED MODULE: ./lib/media/patterns.js


/** Ends in an error, not in fewer patterns: what is cut off would not be checked. */
const MOST_ALTERNATIVES = 1_000;
const LONGEST = 1_000;
/** The pattern, or what is wrong with it, in words that fit behind a comma. */
function parsePattern(text, place) {
    let rest = text;
    let exclude = false;
    while (rest.startsWith('!')) {
        exclude = !exclude;
        rest = rest.slice(1).trim();
    }
    if (rest === '')
        return 'which has nothing after the `!`';
    if (rest.length > LONGEST)
        return 'which is too long';
    const pattern = relativeTo(place, (place.windows ? rest.replaceAll('\\', '/') : rest).normalize('NFC'));
    // The text itself is an alternative too, so that a file that is really called `{a,b}.png` can be named.
    const spellings = new Set([...braceExpand(pattern, { braceExpandMax: MOST_ALTERNATIVES }), pattern]);
    if (spellings.size > MOST_ALTERNATIVES)
        return `whose braces stand for ${MOST_ALTERNATIVES} patterns or more`;
    const alternatives = [];
    for (const spelling of spellings) {
        const parts = spelling.split('/');
        if (isRooted(spelling, place.windows))
            return 'which is outside the workspace';
        if (parts.includes('..'))
            return 'which holds `..`: only files in the workspace can be sent';
        alternatives.push(segmentsOf(parts, place.windows));
    }
    return { text, exclude, alternatives };
}
/** Takes the workspace off an absolute pattern, and leaves every other one as it is. */
function relativeTo({ workspace, windows }, pattern) {
    const root = (windows ? workspace.replaceAll('\\', '/') : workspace).normalize('NFC').replace(/\/+$/, '');
    const [a, b] = windows ? [pattern.toLowerCase(), root.toLowerCase()] : [pattern, root];
    if (a === b)
        return '.';
    return a.startsWith(`${b}/`) ? `.${pattern.slice(root.length)}` : pattern;
}
function isRooted(pattern, windows) {
    // `~` is the home directory to people who know other actions; a file of that name is `./~`.
    return /^(?:\/|~$|~\/)/.test(pattern) || (windows && /^[a-z]:/i.test(pattern));
}
function segmentsOf(parts, windows) {
    const onlyDirectories = parts.at(-1) === '';
    const kept = parts.filter((part) => part !== '' && part !== '.');
    // A pattern that matches a directory means everything under it, so a `**` at the end says nothing more, and a slash
    // at the end asks for at least one step further.
    if (onlyDirectories)
        kept.push('**', '*');
    while (kept.at(-1) === '**')
        kept.pop();
    return kept.map((part) => segmentOf(part, windows));
}
function segmentOf(text, windows) {
    if (text === '**')
        return { text, anyDepth: true, matches: () => true, matchesFile: () => true };
    const plain = matcherOf(text, windows);
    const folded = matcherOf(foldExtension(text), windows);
    return {
        text,
        anyDepth: false,
        matches: (name) => plain(name.text),
        matchesFile: (name) => folded(name.folded) || plain(name.text),
    };
}
function matcherOf(text, windows) {
    const glob = globOf(text, windows);
    const literal = windows ? text.toLowerCase() : text;
    // A file may be called `x[1].png`: the pattern that spells it so means it too.
    return (name) => glob(name) || (windows ? name.toLowerCase() : name) === literal;
}
function foldExtension(name) {
    const dot = name.lastIndexOf('.');
    return dot <= 0 ? name : name.slice(0, dot) + name.slice(dot).toLowerCase();
}
function nameOf(raw) {
    // One name can be stored in two Unicode forms, and what a person types need not be the form on disk.
    const text = raw.normalize('NFC');
    return { text, folded: foldExtension(text) };
}

;// CONCATENATED MODULE: ./lib/media/match.js

/** Not walked unless a pattern names them: they are big, and what is in them is not the team's own. */
const UNWALKED = new Set(['.git', 'node_modules']);
/** The patterns at the workspace itself. */
function start(lines) {
    const reach = new Collector();
    for (const [line, { alternatives }] of lines.entries()) {
        for (const segments of alternatives)
            reach.add({ line, segments, at: 0 });
    }
    return reach.result(lines);
}
/** The patterns one directory further. */
function enter(lines, from, name) {
    const reach = new Collector();
    for (const line of from.covering)
        if (mayPass(lines[line], name))
            reach.cover(line);
    for (const cursor of from.cursors) {
        if (!mayPass(lines[cursor.line], name))
            continue;
        const segment = cursor.segments[cursor.at];
        if (segment?.anyDepth)
            reach.add(cursor);
        else if (segment?.matches(name))
            reach.add({ ...cursor, at: cursor.at + 1 });
    }
    return reach.result(lines);
}
/** Whether any file under this directory can be in the result. */
function canMatch(lines, { cursors, covering }) {
    return covering.some((line) => isPositive(lines, line)) || cursors.some(({ line }) => isPositive(lines, line));
}
/** The lines that match a file of this name in this directory; the last of them decides. */
function linesMatching(lines, { cursors, covering }, name) {
    const matching = covering.filter((line) => mayPass(lines[line], name));
    for (const { line, segments, at } of cursors) {
        if (at !== segments.length - 1 || !segments[at]?.matchesFile(name))
            continue;
        if (mayPass(lines[line], name))
            matching.push(line);
    }
    return matching;
}
/** Whether the patterns select this path, be there a file or not. */
function selects(lines, path) {
    const directories = path.split('/');
    const name = nameOf(directories.pop() ?? '');
    const reach = directories.reduce((from, directory) => enter(lines, from, nameOf(directory)), start(lines));
    return isSelected(lines, linesMatching(lines, reach, name));
}
/** Later lines win. */
function isSelected(lines, matching) {
    return matching.length > 0 && isPositive(lines, Math.max(...matching));
}
function isPositive(lines, line) {
    return lines[line]?.exclude === false;
}
function mayPass(line, { text }) {
    if (!UNWALKED.has(text) || line === undefined || line.exclude)
        return true;
    return line.alternatives.some((segments) => segments.some((segment) => segment.text === text));
}
/** Gathers where the lines stand, each place once. */
class Collector {
    #cursors = [];
    #covering = new Set();
    #seen = new Map();
    cover(line) {
        this.#covering.add(line);
    }
    add(cursor) {
        const { line, segments, at } = cursor;
        if (at === segments.length) {
            this.cover(line);
            return;
        }
        const places = this.#seen.get(segments) ?? new Set();
        if (places.has(at))
            return;
        this.#seen.set(segments, places.add(at));
        this.#cursors.push(cursor);
        // `**` may stand for no directory at all.
        if (segments[at]?.anyDepth)
            this.add({ ...cursor, at: at + 1 });
    }
    result(lines) {
        const excluding = Math.max(-1, ...[...this.#covering].filter((line) => !isPositive(lines, line)));
        const lives = (line) => line >= excluding;
        const all = new Set([...this.#covering, ...this.#cursors.map(({ line }) => line)]);
        return {
            // A line that already matches everything here has nothing to gain from its cursors.
            cursors: this.#cursors.filter(({ line }) => lives(line) && !this.#covering.has(line)),
            covering: [...this.#covering].filter(lives),
            cut: [...all].filter((line) => !lives(line) && isPositive(lines, line)),
        };
    }
}

;// CONCATENATED MODULE: ./lib/github/git-head.js


/**
 * Reads which commit a checkout is at from Git's own files. The git program refuses a folder that belongs to another
 * user, which is what a job in a container finds, and it need not be there at all.
 */
const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
/** Undefined where nothing is checked out right here, or where it is a submodule: that belongs to the checkout around it. */
async function checkoutAt(root) {
    const dotGit = external_node_path_.join(root, '.git');
    const found = await (0,promises_.stat)(dotGit).catch(() => undefined);
    if (!found)
        return undefined;
    if (found.isDirectory())
        return { root, gitDirectory: dotGit };
    // A worktree or a submodule has a file that says where its Git directory is.
    const target = /^gitdir: (.+)$/m.exec(await contentOf(dotGit))?.[1]?.trim();
    const isWorktree = /[\\/]worktrees[\\/][^\\/]+$/.test(target ?? '');
    if (target === undefined || (!isWorktree && /[\\/]modules[\\/]/.test(target)))
        return undefined;
    return { root, gitDirectory: external_node_path_.resolve(root, target) };
}
/** The commit that is checked out; undefined where it cannot be told. */
async function headOf({ gitDirectory }) {
    const head = (await contentOf(external_node_path_.join(gitDirectory, 'HEAD'))).trim();
    if (COMMIT.test(head))
        return head;
    const ref = /^ref: (refs\/.+)$/.exec(head)?.[1];
    if (ref === undefined)
        return undefined;
    // A worktree shares its branches with the repository that it was made from.
    const shared = (await contentOf(external_node_path_.join(gitDirectory, 'commondir'))).trim();
    const home = shared === '' ? gitDirectory : external_node_path_.resolve(gitDirectory, shared);
    const loose = (await contentOf(external_node_path_.join(home, ref))).trim();
    if (COMMIT.test(loose))
        return loose;
    const packed = await contentOf(external_node_path_.join(home, 'packed-refs'));
    return packed
        .split('\n')
        .find((line) => line.endsWith(` ${ref}`))
        ?.split(' ')[0];
}
/** Empty where there is no such file. */
async function contentOf(file) {
    return await (0,promises_.readFile)(file, 'utf8').catch(() => '');
}

;// CONCATENATED MODULE: ./lib/github/changed-files.js







/**
 * `only-changed`: leaves the files that the pull request adds or changes. Where that cannot be told, all of them stay,
 * and a notice says why: a gate checks too much rather than too little.
 *
 * @param lines The input `files`: a changed file that they match must be in the workspace.
 */
async function onlyChanged(discovery, lines, place, api) {
    const changed = await changedPaths(place, api);
    if (typeof changed === 'string')
        return notApplied(discovery, changed);
    const found = new Set(discovery.files.map((file) => file.path.normalize('NFC')));
    const expected = changed.filter((file) => !found.has(file.normalize('NFC')) && selects(lines, file));
    const { missing, otherwise } = await lookFor(expected, place.workspace);
    if (missing.length > 0)
        throw new GateError(missing.map(notCheckedOut));
    const [odd] = otherwise;
    if (odd !== undefined)
        return notApplied(discovery, `${odd} is stored in the workspace under another spelling.`);
    // One name can be stored in two Unicode forms, and a disk may give back the other one.
    const wanted = new Set(changed.map((file) => file.normalize('NFC')));
    return { ...discovery, files: discovery.files.filter((file) => wanted.has(file.path.normalize('NFC'))) };
}
function notApplied(discovery, why) {
    const notice = `\`only-changed\` was not applied and all ${discovery.files.length} matched files are checked. ${why}`;
    return { ...discovery, notices: [...discovery.notices, notice] };
}
/** What is told where the patterns match files, but none that the pull request changes. */
function noneChanged(matched) {
    return {
        reason: 'no-files',
        message: `The pull request changes none of the ${matched} files that match the input \`files\`, so nothing was checked.`,
        fix: 'Nothing is to be done. To check all files in every pull request, remove `only-changed: true`; those whose analysis is known are not sent again.',
    };
}
/** The paths that a pull request adds or changes, or why they are not known and what to do about it. */
async function changedPaths({ event, pullRequest, workspace }, api) {
    if (!pullRequest)
        return `This run (${event}) is not about a pull request. Nothing is to be done.`;
    if (pullRequest.number === undefined) {
        return 'GitHub does not tell a `workflow_run` which pull request of a fork it follows. Run the gate on `pull_request` or `pull_request_target` if that matters.';
    }
    if (!(await checkoutAt(workspace))) {
        return 'GitHub names files from the root of the repository, and that is not the workspace. Leave out `path` of `actions/checkout` if that matters.';
    }
    try {
        const files = await api.pullRequestFiles(pullRequest.number);
        if (files.length >= MOST_CHANGED_FILES) {
            return `The pull request changes ${MOST_CHANGED_FILES} files or more, and GitHub lists no more. Split the pull request if that matters.`;
        }
        // Asked for after the list: while the head is still ours, the list was, too.
        const { headSha } = await api.pullRequest(pullRequest.number);
        if (headSha !== pullRequest.headSha) {
            return 'The pull request has been pushed to since this run was started, and GitHub lists the changes of the newest commit only. The run of that commit is the one that counts.';
        }
        return touched(files);
    }
    catch (error) {
        if (error instanceof GitHubError)
            return `${error.message} ${error.fix}`;
        throw error;
    }
}
/** A renamed file is listed under its new name. A status that we do not know is a change. */
function touched(files) {
    return files.filter(({ status }) => status !== 'removed').map(({ filename }) => filename);
}
/** Changed files that the search did not find. A symbolic link is there, though it is not checked. */
async function lookFor(files, workspace) {
    const missing = [];
    const otherwise = [];
    for (const file of files) {
        const found = await (0,promises_.lstat)(external_node_path_.join(workspace, file)).catch(() => undefined);
        if (!found)
            missing.push(file);
        else if (found.isFile())
            otherwise.push(file);
    }
    return { missing, otherwise };
}
function notCheckedOut(file) {
    return {
        reason: 'checkout',
        path: file,
        message: 'The pull request changes this file, but it is not in the workspace, so it cannot be checked.',
        fix: 'Check out the whole pull request before this step: without `sparse-checkout`, and not the base branch.',
    };
}

;// CONCATENATED MODULE: ./lib/github/checkout.js





/** What `actions/checkout` has to be given where it would take the base branch. */
const HEAD_REF = {
    pull_request_target: '${{ github.event.pull_request.head.sha }}',
    workflow_run: '${{ github.event.workflow_run.head_sha }}',
};
/**
 * Under these events a plain checkout is the base branch: its media would pass, and those of the pull request would
 * never be seen. So the files must come from the pull request's head or its merge commit.
 */
async function assertHeadCheckedOut(discovery, place, commits) {
    const ref = HEAD_REF[place.event];
    if (ref === undefined || (place.event === 'workflow_run' && !place.pullRequest))
        return;
    const fix = `Before this step, check out the pull request: \`actions/checkout\` with \`ref: ${ref}\`. Run nothing that it brings along: this job has secrets.`;
    const fail = (message, file) => new GateError({ reason: 'checkout', message, fix, ...(file !== undefined && { path: file }) });
    const { pullRequest } = place;
    if (!pullRequest)
        throw fail('The event does not tell which pull request is to be checked.');
    if (discovery.files.length === 0) {
        await assertAnyAtHead(place.workspace, pullRequest, commits, fail);
        return;
    }
    const checkouts = new Map();
    const around = enclosing(place.workspace);
    for (const file of discovery.files) {
        const checkout = await around(external_node_path_.posix.dirname(file.path));
        if (!checkout)
            throw fail('The file is in no Git checkout, so nobody can tell which commit it is from.', file.path);
        checkouts.set(checkout.root, checkout);
    }
    for (const checkout of checkouts.values()) {
        const problem = await notAtHead(checkout, pullRequest, commits);
        if (problem !== undefined)
            throw fail(problem);
    }
}
/** That nothing matches must be said of the pull request's files, not of the base's. */
async function assertAnyAtHead(workspace, pullRequest, commits, fail) {
    const folders = await (0,promises_.readdir)(workspace, { withFileTypes: true });
    // `path` of actions/checkout is often one folder down.
    const roots = [
        workspace,
        ...folders.filter((entry) => entry.isDirectory()).map(({ name }) => external_node_path_.join(workspace, name)),
    ];
    const problems = [];
    for (const root of roots) {
        const checkout = await checkoutAt(root);
        if (!checkout)
            continue;
        const problem = await notAtHead(checkout, pullRequest, commits);
        if (problem === undefined)
            return;
        problems.push(problem);
    }
    throw fail(problems[0] ?? 'There is no Git checkout in the workspace, so nobody can tell which commit it holds.');
}
/** Finds the checkout that a directory belongs to; each directory is looked at once. */
function enclosing(workspace) {
    const known = new Map();
    const look = async (directory) => (await checkoutAt(external_node_path_.join(workspace, directory))) ??
        (directory === '.' ? undefined : await find(external_node_path_.posix.dirname(directory)));
    const find = async (directory) => {
        const found = known.get(directory) ?? look(directory);
        known.set(directory, found);
        return await found;
    };
    return find;
}
/** Undefined where the checkout is at the head or at its merge with the base; else what is wrong. */
async function notAtHead(checkout, { headSha }, commits) {
    const head = await headOf(checkout);
    if (head === undefined)
        return 'The commit that is checked out cannot be read from the Git files in the workspace.';
    if (head === headSha)
        return undefined;
    const wrong = `The workspace holds commit ${head.slice(0, 7)}, and that is neither the head of the pull request (${headSha.slice(0, 7)}) nor its merge with the base`;
    try {
        // The payload names a merge commit too, but after a push that is still the one of the head before.
        const [, merged, ...more] = await commits.parentsOf(head);
        return merged === headSha && more.length === 0 ? undefined : `${wrong}.`;
    }
    catch (error) {
        if (!(error instanceof GitHubError))
            throw error;
        return error.trouble === 'not-found'
            ? `${wrong}.`
            : `The workspace holds commit ${head.slice(0, 7)}, and whether that is the merge of the pull request is not known. ${error.message}`;
    }
}

// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __nccwpck_require__(73024);
;// CONCATENATED MODULE: ./lib/github/event.js


/** A part that is missing or not as expected is left out: nothing in a payload may break the run. */
function lenient(schema) {
    return dist/* fallback */.NpB(dist/* optional */.lqM(schema), undefined);
}
const Repository = dist/* object */.Ikc({
    id: dist/* number */.aig(),
    private: lenient(dist/* boolean */.zMY()),
    visibility: lenient(dist/* string */.YjP()),
    default_branch: lenient(dist/* string */.YjP()),
});
const event_Side = dist/* object */.Ikc({
    ref: dist/* string */.YjP(),
    sha: dist/* string */.YjP(),
    /** `owner:branch`; not in the short form that a workflow_run lists. */
    label: lenient(dist/* string */.YjP()),
    /** Null where the fork is deleted. */
    repo: lenient(dist/* nullable */.mee(dist/* object */.Ikc({ id: dist/* number */.aig() }))),
});
const PullRequest = dist/* object */.Ikc({
    number: dist/* number */.aig(),
    head: event_Side,
    base: event_Side,
    user: lenient(dist/* nullable */.mee(dist/* object */.Ikc({ login: dist/* string */.YjP() }))),
});
const MergeGroup = dist/* object */.Ikc({ head_ref: dist/* string */.YjP(), base_ref: dist/* string */.YjP(), base_sha: dist/* string */.YjP() });
const WorkflowRun = dist/* object */.Ikc({
    event: dist/* string */.YjP(),
    head_branch: lenient(dist/* nullable */.mee(dist/* string */.YjP())),
    head_sha: dist/* string */.YjP(),
    head_repository: lenient(dist/* nullable */.mee(dist/* object */.Ikc({ id: dist/* number */.aig(), owner: lenient(dist/* nullable */.mee(dist/* object */.Ikc({ login: dist/* string */.YjP() }))) }))),
    pull_requests: dist/* fallback */.NpB(dist/* array */.YOg(PullRequest), []),
});
const EventPayload = dist/* object */.Ikc({
    repository: lenient(Repository),
    pull_request: lenient(PullRequest),
    merge_group: lenient(MergeGroup),
    workflow_run: lenient(WorkflowRun),
});
/** An unreadable payload is an empty one. */
function readEvent(path) {
    if (!path)
        return {};
    try {
        const parsed = dist/* safeParse */.xLC(EventPayload, JSON.parse((0,external_node_fs_.readFileSync)(path, 'utf8')));
        return parsed.success ? parsed.output : {};
    }
    catch {
        return {};
    }
}

;// CONCATENATED MODULE: ./lib/github/context.js

/** Reads the runner's variables and the event's payload. Outside a runner everything has a harmless value. */
function readContext(env) {
    const payload = readEvent(env['GITHUB_EVENT_PATH']);
    const serverUrl = env['GITHUB_SERVER_URL'] || 'https://github.com';
    const repository = env['GITHUB_REPOSITORY'] ?? '';
    const runId = env['GITHUB_RUN_ID'] ?? '';
    const commit = env['GITHUB_SHA'] ?? '';
    const ref = env['GITHUB_REF'] ?? '';
    return {
        repository,
        repositoryId: env['GITHUB_REPOSITORY_ID'] ?? String(payload.repository?.id ?? ''),
        isPublic: payload.repository?.visibility === 'public' || payload.repository?.private === false,
        commit,
        ref,
        event: env['GITHUB_EVENT_NAME'] ?? '',
        runId,
        runAttempt: Math.max(1, Number.parseInt(env['GITHUB_RUN_ATTEMPT'] ?? '', 10) || 1),
        runUrl: repository && runId ? `${serverUrl}/${repository}/actions/runs/${runId}` : '',
        workflow: workflowPath(env['GITHUB_WORKFLOW_REF'] ?? '', repository) ?? env['GITHUB_WORKFLOW'] ?? '',
        job: env['GITHUB_JOB'] ?? '',
        step: env['GITHUB_ACTION'] ?? '',
        ...changes(payload, commit, ref),
        defaultBranch: payload.repository?.default_branch,
        serverUrl,
        apiUrl: env['GITHUB_API_URL'] || 'https://api.github.com',
        isGhes: isGhes(serverUrl),
        workspace: env['GITHUB_WORKSPACE'] ?? process.cwd(),
        temp: env['RUNNER_TEMP'] ?? '',
        actor: env['GITHUB_ACTOR'] ?? '',
    };
}
/** What is checked, and what it is to be compared with. */
function changes(payload, commit, ref) {
    const none = { baseBranch: undefined, baseCommit: undefined, pullRequest: undefined, queuedPullRequest: undefined };
    const { pull_request: pull, merge_group: group, workflow_run: run, repository } = payload;
    if (pull) {
        const isFork = isForeign(pull, repository?.id);
        return {
            ...none,
            branch: isFork ? (pull.head.label ?? `${pull.user?.login ?? ''}:${pull.head.ref}`) : pull.head.ref,
            baseBranch: pull.base.ref,
            baseCommit: pull.base.sha,
            pullRequest: {
                number: pull.number,
                headSha: pull.head.sha,
                isFork,
                isDependabot: pull.user?.login === 'dependabot[bot]',
            },
        };
    }
    if (group) {
        const number = /\/pr-(\d+)-[0-9a-f]+$/.exec(group.head_ref)?.[1];
        return {
            ...none,
            branch: branchOf(group.head_ref),
            baseBranch: branchOf(group.base_ref),
            baseCommit: group.base_sha,
            queuedPullRequest: number === undefined ? undefined : Number(number),
        };
    }
    if (run)
        return { ...none, ...followed(run, repository?.id, commit, ref) };
    return { ...none, branch: branchOf(ref) };
}
/** A run that follows another one is about what that one was about. Its own commit is the default branch's. */
function followed(run, repositoryId, commit, ref) {
    const head = run.head_repository;
    const isFork = head?.id !== repositoryId;
    const name = run.head_branch ?? branchOf(ref);
    const branch = isFork ? `${head?.owner?.login ?? ''}:${name}` : name;
    if (!run.event.startsWith('pull_request'))
        return { branch };
    // The list holds every open pull request of that branch, those into somebody's fork too, and none that comes from one.
    const ours = run.pull_requests.filter(({ base }) => base.repo?.id === repositoryId);
    const pull = ours.find(({ head: { sha } }) => sha === run.head_sha) ?? ours[0];
    return {
        branch,
        baseBranch: pull?.base.ref,
        baseCommit: pull?.base.sha ?? commit,
        pullRequest: { number: pull?.number, headSha: run.head_sha, isFork, isDependabot: false },
    };
}
function isForeign({ head, base }, repositoryId) {
    // A head without a repository is a fork that was deleted.
    return head.repo?.id !== (base.repo?.id ?? repositoryId);
}
function branchOf(ref) {
    return ref.replace(/^refs\/heads\//, '');
}
/** owner/name/.github/workflows/media.yml@refs/heads/main → the path, with its repository only where it is another one. */
function workflowPath(ref, repository) {
    const [, home = '', path = ''] = /^([^/]+\/[^/]+)\/(.+?\.ya?ml)@/.exec(ref) ?? [];
    if (path === '')
        return undefined;
    return home.toLowerCase() === repository.toLowerCase() ? path : `${home}/${path}`;
}
function isGhes(serverUrl) {
    const host = URL.parse(serverUrl)?.hostname ?? 'github.com';
    return host !== 'github.com' && !host.endsWith('.ghe.com') && !host.endsWith('.localhost');
}

;// CONCATENATED MODULE: ./lib/github/missing-key.js
const SKIP = 'To leave such pull requests unchecked instead of red, set `if-no-api-key: skip`.';
/** What to tell where there is no API key: most often it is GitHub that withholds it. */
function missingKey({ pullRequest, actor, event }) {
    // These two run the base's own workflow, and that is given its secrets whoever opened the pull request.
    const isTrusted = event === 'pull_request_target' || event === 'workflow_run';
    if (pullRequest?.isFork && !isTrusted) {
        return {
            reason: 'no-key',
            message: 'There is no API key: GitHub gives no secrets to pull requests from forks.',
            fix: SKIP,
        };
    }
    if (actor === 'dependabot[bot]' && !isTrusted) {
        return {
            reason: 'no-key',
            message: 'There is no API key: GitHub gives Dependabot only its own secrets.',
            fix: `Add the key to the repository's Dependabot secrets too. ${SKIP}`,
        };
    }
    if (actor === 'dependabot[bot]' && pullRequest?.isDependabot) {
        return {
            reason: 'no-key',
            message: 'There is no API key: GitHub gives Dependabot no secrets in `pull_request_target`.',
            fix: `Run the gate on \`pull_request\` too and add the key to the repository's Dependabot secrets. ${SKIP}`,
        };
    }
    return {
        reason: 'no-key',
        message: 'There is no API key: the input `api-key` is empty.',
        fix: 'Store the key as a secret of the repository (Settings → Secrets and variables → Actions) and pass it on: `api-key: ${{ secrets.COMPLIANCE_API_KEY }}`. A misspelt secret name is empty, too.',
    };
}

;// CONCATENATED MODULE: ./lib/http/http.js
/** No whole answer came. */
class ConnectionError extends Error {
    name = 'ConnectionError';
    /** In words, for people: "connection refused". */
    what;
    maybeReceived;
    isLasting;
    silentMs;
    fix;
    constructor(what, facts, options) {
        super(what, options);
        this.what = what;
        this.maybeReceived = facts.maybeReceived;
        this.isLasting = facts.isLasting ?? false;
        this.silentMs = facts.silentMs;
        this.fix = facts.fix;
    }
}
/** An answer larger than anything the service has reason to send. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

;// CONCATENATED MODULE: ./lib/http/connection-failure.js


const UNSENT = { maybeReceived: false };
const MAYBE_RECEIVED = { maybeReceived: true };
/** Failures before a connection stands: the other side never saw the request. */
const CONNECT_FAILURES = {
    ECONNREFUSED: 'connection refused',
    ENOTFOUND: 'the host name is unknown',
    EAI_AGAIN: 'the host name could not be looked up',
    EHOSTUNREACH: 'the host cannot be reached',
    ENETUNREACH: 'the network cannot be reached',
    EADDRNOTAVAIL: 'no local address was free',
    UND_ERR_CONNECT_TIMEOUT: 'no connection within 20 s',
    UND_ERR_PRX_CONN: 'the proxy closed the connection',
    UND_ERR_PRX_TLS: 'the proxy could not be reached over TLS',
};
const CUT_OFF = 'connection closed before the answer was complete';
const LATER_FAILURES = {
    ECONNRESET: 'connection reset',
    EPIPE: 'connection closed while sending',
    ETIMEDOUT: 'connection timed out',
    UND_ERR_SOCKET: CUT_OFF,
    UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the answer was cut off',
};
const NODE_CUT_OFF = /^(socket hang up|aborted)$/;
const TLS_FAILURE = /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|EPROTO)/;
/** A handshake may fail for a moment; a certificate is wrong until somebody changes it. */
const LASTING_TLS_FAILURE = /^(CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|ERR_TLS_CERT_|ERR_SSL_WRONG_VERSION_NUMBER)/;
const UNTRUSTED = /^(UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)/;
const PROXY_ANSWER = /^Proxy response \((\d{3})\)|^Proxy Authentication Required \((407)\)/;
/** These are mistakes of ours, not of the network: they must not be taken for an outage. */
const OUR_MISTAKES = /^(UND_ERR_INVALID_ARG|UND_ERR_NOT_SUPPORTED|UND_ERR_REQ_CONTENT_LENGTH_MISMATCH|ERR_INVALID_)/;
/** What was thrown where no answer came, told to people; anything that is not about the connection as it is. */
function asConnectionError(error) {
    if (error instanceof ConnectionError || error instanceof GateError || !(error instanceof Error))
        return error;
    const options = { cause: error };
    const proxyStatus = PROXY_ANSWER.exec(error.message)?.slice(1).find(Boolean);
    if (proxyStatus !== undefined)
        return new ConnectionError(`the proxy answered ${proxyStatus}`, atProxy(proxyStatus), options);
    const failed = rootOf(error);
    if (failed === undefined || OUR_MISTAKES.test(failed.code))
        return error;
    const { code } = failed;
    const unconnected = CONNECT_FAILURES[code];
    if (unconnected)
        return new ConnectionError(unconnected + placeOf(failed), UNSENT, options);
    if (TLS_FAILURE.test(code))
        return new ConnectionError(`the TLS connection failed (${code})`, atTls(code), options);
    const facts = isBeforeSending(failed) ? UNSENT : MAYBE_RECEIVED;
    // Node gives a connection that was closed in time the code of one that was reset.
    const words = NODE_CUT_OFF.test(failed.message) ? CUT_OFF : LATER_FAILURES[code];
    return new ConnectionError(words ?? `connection failed (${code})`, facts, options);
}
/** The connection, or its TLS handshake, was cut off: nothing of the request was sent yet. */
function isBeforeSending({ error, message }) {
    return ('syscall' in error && error.syscall === 'connect') || message.includes('before secure TLS connection');
}
function atProxy(status) {
    const isLasting = Number(status) < 500;
    const fix = status === '407'
        ? 'The proxy wants credentials: put them into the address in `HTTPS_PROXY` (`http://user:password@proxy.example:3128`), from a secret.'
        : 'Ask whoever runs the proxy to let this job through to the address, or name the host in `NO_PROXY`.';
    return { maybeReceived: false, isLasting, fix };
}
function atTls(code) {
    const fix = UNTRUSTED.test(code)
        ? 'The certificate is not from an authority that this machine trusts. If a company proxy or a private authority issued it, store its certificate in a file and name it in `NODE_EXTRA_CA_CERTS`, in the `env` of the job.'
        : 'Check that the address is right and that its certificate is valid and made out for this host.';
    return { maybeReceived: false, isLasting: LASTING_TLS_FAILURE.test(code), fix };
}
/** An AggregateError (every address of a host refused) carries the code of its parts. */
function rootOf(error) {
    if (!(error instanceof Error))
        return undefined;
    if (error instanceof AggregateError && error.errors.length > 0)
        return rootOf(error.errors[0]);
    if ('code' in error && typeof error.code === 'string')
        return { code: error.code, message: error.message, error };
    return rootOf(error.cause);
}
/** Whom it was that could not be reached: with a proxy in between that is often not the service. */
function placeOf({ error }) {
    if ('hostname' in error && typeof error.hostname === 'string')
        return ` (${error.hostname})`;
    if ('address' in error && typeof error.address === 'string') {
        const port = 'port' in error && typeof error.port === 'number' ? `:${error.port}` : '';
        return ` (${error.address}${port})`;
    }
    return '';
}

;// CONCATENATED MODULE: ./lib/http/stall-watch.js

const CONNECT_MS = 20_000;
/** Ends an exchange in which nothing moves any more, however far it came. */
class StallWatch {
    #patience;
    #controller = new AbortController();
    #timer;
    #isOver = false;
    constructor(patience) {
        this.#patience = patience;
        this.#expectAnswer();
    }
    /** Aborted with a `ConnectionError` once the patience is over. */
    get signal() {
        return this.#controller.signal;
    }
    /** Until the connection stands, nothing of the request is sent. */
    connecting() {
        this.#restart(Math.min(CONNECT_MS, this.#patience.answerMs), 'no connection', false);
    }
    connected() {
        this.#expectAnswer();
    }
    /** A piece of the request was taken. */
    sent() {
        this.#restart(this.#patience.stallMs, 'the other side stopped taking the data');
    }
    sentAll() {
        this.#expectAnswer();
    }
    /** The head or a piece of the answer came. */
    received() {
        this.#restart(this.#patience.stallMs, 'the answer broke off');
    }
    end() {
        this.#isOver = true;
        clearTimeout(this.#timer);
    }
    #expectAnswer() {
        this.#restart(this.#patience.answerMs, 'no answer');
    }
    #restart(milliseconds, what, maybeReceived = true) {
        clearTimeout(this.#timer);
        // An answer may come before all was sent; what is still moving then is of no interest.
        if (this.#isOver)
            return;
        this.#timer = setTimeout(() => {
            const words = `${what} for ${Math.round(milliseconds / 1000)} s`;
            this.#controller.abort(new ConnectionError(words, { maybeReceived, silentMs: milliseconds }));
        }, milliseconds);
    }
}

;// CONCATENATED MODULE: ./lib/http/exchange.js



/** One request, one answer. Ends where nothing moves any more, where it is told to, and where the answer is complete. */
async function exchange(request, transport) {
    const watch = new StallWatch(request.patience);
    const signal = AbortSignal.any([request.signal, watch.signal]);
    try {
        signal.throwIfAborted();
        // A transport itself may not notice an abort while it connects.
        return await Promise.race([converse(request, transport, watch, signal), aborted(signal)]);
    }
    catch (error) {
        request.signal.throwIfAborted();
        throw asConnectionError(error);
    }
    finally {
        watch.end();
        if (typeof request.body === 'object')
            await request.body.close();
    }
}
async function converse(request, transport, watch, signal) {
    const incoming = await transport.begin(request, watch, signal);
    try {
        return { ...exchange_headOf(incoming), text: await exchange_textOf(incoming, watch) };
    }
    finally {
        incoming.end();
    }
}
function exchange_headOf({ status, headers }) {
    return { status, retryAfter: single(headers['retry-after']), location: single(headers['location']) };
}
async function exchange_textOf({ body }, watch) {
    const pieces = [];
    let size = 0;
    watch.received();
    for await (const piece of body) {
        watch.received();
        size += piece.length;
        if (size > MAX_ANSWER_BYTES)
            throw tooLarge();
        pieces.push(piece);
    }
    return Buffer.concat(pieces).toString('utf8');
}
async function aborted(signal) {
    return await new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
}
function tooLarge() {
    return new ConnectionError('the answer was too large to be true', { maybeReceived: true, isLasting: true });
}
function single(header) {
    return typeof header === 'object' ? header[0] : header;
}

// EXTERNAL MODULE: ./lib/http/node-transport.js
var node_transport = __nccwpck_require__(92990);
;// CONCATENATED MODULE: ./lib/http/proxy.js

/**
 * Reads the variables that curl and the runner read: lower case first, each protocol with its own. An empty one counts
 * as not set, so that a workflow can pass on a variable that may be empty.
 */
function proxySettings(env) {
    return {
        http: addressIn(env, ['http_proxy', 'HTTP_PROXY']),
        https: addressIn(env, ['https_proxy', 'HTTPS_PROXY']),
        except: env['no_proxy'] || env['NO_PROXY'] || '',
    };
}
function addressIn(env, names) {
    const name = names.find((each) => env[each]?.trim());
    if (name === undefined)
        return '';
    const value = env[name]?.trim() ?? '';
    // As curl does: a bare `proxy.example:3128` is a plain HTTP proxy.
    const url = URL.parse(value.includes('://') ? value : `http://${value}`);
    if (url && ['http:', 'https:'].includes(url.protocol))
        return url.href;
    // The value may hold a password, so it is not shown.
    throw new GateError({
        reason: 'bad-input',
        message: `The environment variable ${name} is not the address of an HTTP proxy.`,
        fix: `Set ${name} to an address such as \`http://proxy.example:3128\`, or unset it where there is no proxy.`,
    });
}

;// CONCATENATED MODULE: ./lib/http/create-http.js



/** Http, through the proxies that the environment names. `NODE_EXTRA_CA_CERTS` is read by Node itself. */
function createHttp(env = process.env) {
    const proxies = proxySettings(env);
    const direct = (0,node_transport/* createNodeTransport */.i)();
    let proxied;
    const load = async () => {
        const { createUndiciTransport } = await Promise.all(/* import() */[__nccwpck_require__.e(752), __nccwpck_require__.e(190)]).then(__nccwpck_require__.bind(__nccwpck_require__, 98190));
        return createUndiciTransport(proxies);
    };
    return {
        async send(request) {
            const proxy = new URL(request.url).protocol === 'https:' ? proxies.https : proxies.http;
            return await exchange(request, proxy === '' ? direct : await (proxied ??= load()));
        },
        async close() {
            await Promise.all([direct.close(), proxied?.then(async (transport) => await transport.close())]);
        },
    };
}

;// CONCATENATED MODULE: ./lib/media/default-patterns.js
/**
 * What the input `files` stands for when it is not given. `.ts` and `.mts` are left to the user's own patterns: in most
 * repositories they are TypeScript. So are `.txt`, `.md`, `.html` and their like, which are seldom media.
 */
const DEFAULT_PATTERNS = [
    '**/*.mp4',
    '**/*.m4v',
    '**/*.mov',
    '**/*.webm',
    '**/*.mkv',
    '**/*.avi',
    '**/*.wmv',
    '**/*.flv',
    '**/*.mpg',
    '**/*.mpeg',
    '**/*.m2ts',
    '**/*.3gp',
    '**/*.ogv',
    '**/*.mp3',
    '**/*.m4a',
    '**/*.aac',
    '**/*.wav',
    '**/*.flac',
    '**/*.ogg',
    '**/*.oga',
    '**/*.opus',
    '**/*.wma',
    '**/*.aif',
    '**/*.aiff',
    '**/*.jpg',
    '**/*.jpeg',
    '**/*.png',
    '**/*.apng',
    '**/*.gif',
    '**/*.webp',
    '**/*.avif',
    '**/*.heic',
    '**/*.heif',
    '**/*.tif',
    '**/*.tiff',
    '**/*.bmp',
    '**/*.svg',
    '**/*.psd',
    '**/*.pdf',
    '**/*.doc',
    '**/*.docx',
    '**/*.ppt',
    '**/*.pptx',
    '**/*.xls',
    '**/*.xlsx',
    '**/*.odt',
    '**/*.odp',
    '**/*.ods',
    '**/*.rtf',
    '**/*.epub',
];

;// CONCATENATED MODULE: ./lib/inputs/inputs.js

/** The defaults of action.yml. An empty value means its default, so that an unset repository variable can be passed on. */
const DEFAULTS = {
    'api-key': '',
    'base-url': '',
    files: `${DEFAULT_PATTERNS.join('\n')}\n`,
    'fail-on-severity': 'CRITICAL',
    'fail-on-issues': 'all',
    comment: 'never',
    'only-changed': 'false',
    'waivers-file': '',
    'if-no-files-found': 'warn',
    'if-no-api-key': 'error',
    'on-service-error': 'error',
    name: 'media-compliance',
    'reuse-days': '90',
    'max-files': '500',
    'ignore-statuses': 'RESOLVED, DISMISSED',
    'sidekick-ids': '',
    metadata: '',
    'upload-concurrency': '8',
    'wait-timeout-minutes': '30',
    'issue-url': '',
    'report-dir': '',
    'report-artifact': 'true',
    'retention-days': '',
    'state-file': '',
    'state-key': '',
    'dry-run': 'false',
    'github-token': '',
    'simulation-delay-seconds': '',
    'sandbox-event': '',
    matrix: '',
};
/** Inputs whose value must never be shown. */
const SECRET_INPUTS = ['api-key', 'state-key', 'github-token'];

;// CONCATENATED MODULE: ./lib/service/issue.js
/** Worst first. */
const SEVERITIES = ['CRITICAL', 'MAJOR', 'MINOR', 'INFO'];

;// CONCATENATED MODULE: ./lib/http/address.js
/** Plain http is allowed to this machine alone: there is no wire to listen on. */
function isLoopback(hostname) {
    return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

;// CONCATENATED MODULE: ./lib/inputs/reader.js

/** Reads raw inputs one by one and gathers what is wrong with them, so that all of it can be told at once. */
class InputReader {
    problems = [];
    #valueOf;
    constructor(valueOf) {
        this.#valueOf = valueOf;
    }
    /** An empty value means the default, so that an unset repository variable can be passed on. */
    text(name) {
        return this.#valueOf(name).trim() || DEFAULTS[name].trim();
    }
    /** @param got what it is, in words or quoted; never a secret */
    reject(name, got, takes) {
        this.problems.push({
            reason: 'bad-input',
            message: `Input \`${name}\` is ${got}.`,
            fix: `\`${name}\` takes ${takes}.`,
        });
    }
    oneOf(name, values) {
        const value = this.text(name);
        if (!values.includes(value))
            this.reject(name, quoted(value), listed(values));
        return value;
    }
    anyCaseOf(name, values) {
        const value = this.text(name);
        const known = values.find((each) => each.toLowerCase() === value.toLowerCase());
        if (known === undefined)
            this.reject(name, quoted(value), listed(values));
        return known ?? value;
    }
    flag(name) {
        const value = this.text(name);
        // The words of YAML's core schema, which is what a workflow's author thinks in.
        if (!/^(true|True|TRUE|false|False|FALSE)$/.test(value))
            this.reject(name, quoted(value), '`true` or `false`');
        return value.toLowerCase() === 'true';
    }
    integer(name, min, max) {
        const value = this.text(name);
        const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
        if (!(number >= min && number <= max))
            this.reject(name, quoted(value), `a whole number from ${min} to ${max}`);
        return number;
    }
    /** Undefined where the input is not set. */
    optional(name, parse) {
        const value = this.text(name);
        return value === '' ? undefined : parse(value);
    }
}
function quoted(value) {
    return JSON.stringify(value.length > 100 ? `${value.slice(0, 100)}…` : value);
}
function listed(values, word = 'or') {
    const names = values.map((value) => `\`${value}\``);
    return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)}`;
}
/** Items separated by commas or newlines. */
function items(text) {
    return text
        .split(/[,\n]/)
        .map((item) => item.trim())
        .filter((item) => item !== '');
}
/** Undefined where it is not JSON. */
function parseJson(text) {
    try {
        return JSON.parse(text);
    }
    catch {
        return undefined;
    }
}

;// CONCATENATED MODULE: ./lib/inputs/access.js


const LIVE_KEY = /^sk_live_[0-9a-f]{64}$/i;
/** What follows the prefix is not shown in the contract; a header can carry it. */
const SANDBOX_KEY = /^sk_test_[\x21-\x7e]+$/;
/** The key alone selects live or sandbox behaviour. */
function parseKey(reader) {
    const key = reader.text('api-key');
    if (key === '')
        return undefined;
    if (LIVE_KEY.test(key))
        return 'live';
    if (SANDBOX_KEY.test(key))
        return 'sandbox';
    const what = key.startsWith('sk_live_') ? 'a damaged live key' : 'not a key of the service';
    reader.reject('api-key', `${what} (${key.length} characters, not shown)`, '`sk_live_` and 64 hexadecimal characters, or a key that begins with `sk_test_`');
    return undefined;
}
/** @returns the address that every endpoint's path is appended to */
function parseBaseUrl(reader) {
    const takes = "the address of the compliance service, such as `https://compliance.example.com` (plain http only on this machine's loopback)";
    const value = reader.text('base-url');
    if (value === '') {
        reader.reject('base-url', 'not set', takes);
        return undefined;
    }
    const url = URL.parse(value);
    const isAllowed = url && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname)));
    if (!isAllowed || url.username || url.password || url.search || url.hash) {
        reader.reject('base-url', quoted(withoutCredentials(value)), takes);
        return undefined;
    }
    const path = url.pathname.replace(/\/+$/, '');
    return url.origin + (/\/api\/(v\d+\/)?integrations$/.test(path) ? path : `${path}/api/integrations`);
}
function withoutCredentials(url) {
    return url.replace(/\/\/[^/@]*@/, '//***@').replace(/\?.*/s, '?***');
}

;// CONCATENATED MODULE: ./lib/inputs/issue-url.js
/** What the input `issue-url` may hold in braces. */
const ISSUE_URL_PLACEHOLDERS = ['referenceNumber', 'issueId', 'assetId', 'submissionId'];
/** Fills the template. Values come from outside, so each is encoded and cannot leave its place in the address. */
function issueUrl(template, values) {
    return ISSUE_URL_PLACEHOLDERS.reduce((url, name) => url.replaceAll(`{${name}}`, () => encodeURIComponent(values[name].toWellFormed())), template);
}

;// CONCATENATED MODULE: ./lib/inputs/parse.js







const ISSUE_STATUSES = ['OPEN', 'ACKNOWLEDGED', 'AWAITING_HUMAN_INPUT', 'RESOLVED', 'DISMISSED'];
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** What an artifact, a SARIF category and an HTML comment can all carry. */
const GATE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const SHORTEST_STATE_KEY = 16;
/**
 * Parses every input, strictly. All problems are thrown together, so that nobody mends a workflow one line per push.
 *
 * @param valueOf the raw value of an input, empty where it is not set
 * @param withoutKey what to tell where there is no key; it depends on the event
 * @param place what patterns are relative to
 */
function parseInputs(valueOf, withoutKey, place) {
    const reader = new InputReader(valueOf);
    const dryRun = reader.flag('dry-run');
    const ifNoApiKey = reader.oneOf('if-no-api-key', ['error', 'skip']);
    const inputs = {
        service: parseService(reader, dryRun || ifNoApiKey === 'skip' ? undefined : withoutKey),
        ...parseFiles(reader, place),
        failOnSeverity: reader.anyCaseOf('fail-on-severity', [...SEVERITIES, 'never']),
        failOnIssues: reader.oneOf('fail-on-issues', ['all', 'new']),
        comment: reader.oneOf('comment', ['never', 'on-failure', 'always']),
        onlyChanged: reader.flag('only-changed'),
        waiversFile: reader.optional('waivers-file', (value) => parseRepositoryPath(reader, 'waivers-file', value)),
        ifNoFilesFound: reader.oneOf('if-no-files-found', ['warn', 'error', 'ignore']),
        ifNoApiKey,
        onServiceError: reader.oneOf('on-service-error', ['error', 'warn']),
        name: parseName(reader),
        reuseDays: reader.integer('reuse-days', 0, 3650),
        maxFiles: reader.integer('max-files', 1, 100_000),
        ignoreStatuses: parseStatuses(reader),
        sidekickIds: reader.optional('sidekick-ids', (value) => parseUuids(reader, value)),
        metadata: parseMetadata(reader),
        uploadConcurrency: reader.integer('upload-concurrency', 1, 64),
        waitTimeoutMinutes: reader.integer('wait-timeout-minutes', 1, 4320),
        issueUrl: reader.optional('issue-url', (value) => parseIssueUrl(reader, value)),
        reportDir: reader.optional('report-dir', (value) => value),
        reportArtifact: reader.flag('report-artifact'),
        retentionDays: reader.optional('retention-days', () => reader.integer('retention-days', 1, 400)),
        stateFile: reader.optional('state-file', (value) => value),
        stateKey: reader.optional('state-key', (value) => parseStateKey(reader, value)),
        dryRun,
        githubToken: reader.text('github-token'),
        simulationDelaySeconds: reader.optional('simulation-delay-seconds', () => {
            refuseLiveKey(reader, 'simulation-delay-seconds');
            return reader.integer('simulation-delay-seconds', 0, 30);
        }),
        sandboxEvent: reader.optional('sandbox-event', () => {
            refuseLiveKey(reader, 'sandbox-event');
            return reader.oneOf('sandbox-event', ['asset.processing.completed', 'asset.processing.failed']);
        }),
        matrix: parseMatrix(reader),
    };
    if (reader.problems.length > 0)
        throw new GateError(reader.problems);
    return inputs;
}
/** @param withoutKey undefined where the run can do without the service */
function parseService(reader, withoutKey) {
    const apiKey = reader.text('api-key');
    if (apiKey === '') {
        if (!withoutKey)
            return undefined;
        reader.problems.push(withoutKey);
    }
    const mode = parseKey(reader);
    const baseUrl = parseBaseUrl(reader);
    return mode && baseUrl ? { apiKey, mode, baseUrl } : undefined;
}
function parseFiles(reader, place) {
    const lines = reader
        .text('files')
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '' && !line.startsWith('#'));
    if (lines.length === 0)
        reader.reject('files', 'nothing but comments', 'one pattern a line');
    else if (lines.every((line) => line.startsWith('!'))) {
        reader.reject('files', 'only exclusions', 'one pattern a line, at least one of them without a leading `!`');
    }
    const files = [];
    for (const line of lines) {
        const parsed = parsePattern(line, place);
        if (typeof parsed !== 'string')
            files.push(parsed);
        else
            reader.reject('files', `${quoted(line)}, ${parsed}`, 'patterns relative to the workspace, such as `media/**/*.mp4`');
    }
    return { files, filesAreDefault: lines.join('\n') === DEFAULT_PATTERNS.join('\n') };
}
function parseName(reader) {
    const name = reader.text('name');
    if (!GATE_NAME.test(name)) {
        reader.reject('name', quoted(name), 'up to 64 letters, digits, `.`, `-` and `_`, beginning with a letter or digit');
    }
    return name;
}
function parseStatuses(reader) {
    const statuses = items(reader.text('ignore-statuses')).map((status) => status.toUpperCase());
    if (statuses.join() === 'NONE')
        return [];
    const unknown = statuses.filter((status) => !ISSUE_STATUSES.some((known) => known === status));
    if (unknown.length > 0) {
        reader.reject('ignore-statuses', quoted(unknown.join(', ')), `any of ${listed(ISSUE_STATUSES, 'and')}, or \`none\``);
    }
    return [...new Set(statuses)];
}
function parseUuids(reader, value) {
    const ids = items(value);
    const malformed = ids.filter((id) => !UUID.test(id));
    if (malformed.length > 0) {
        reader.reject('sidekick-ids', quoted(malformed.join(', ')), 'UUIDs, separated by commas or newlines');
    }
    return [...new Set(ids.map((id) => id.toLowerCase()))];
}
function parseMetadata(reader) {
    const value = reader.text('metadata');
    if (value === 'none')
        return 'none';
    if (value === '')
        return {};
    const parsed = parseJson(value);
    if (isJsonObject(parsed))
        return parsed;
    reader.reject('metadata', quoted(value), 'a JSON object, or `none` to send no metadata at all');
    return {};
}
function isJsonObject(value) {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}
function parseIssueUrl(reader, value) {
    const known = ISSUE_URL_PLACEHOLDERS.map((name) => `{${name}}`);
    const placeholders = value.match(/\{[^}]*\}/g) ?? [];
    const url = URL.parse(value.replaceAll(/\{[^}]*\}/g, 'x'));
    if (url?.protocol !== 'https:' || placeholders.some((placeholder) => !known.includes(placeholder))) {
        reader.reject('issue-url', quoted(value), `an https address with any of ${listed(known, 'and')} in it`);
    }
    return value;
}
function parseStateKey(reader, value) {
    if (value.length < SHORTEST_STATE_KEY) {
        const got = `too short (${value.length} characters, not shown)`;
        reader.reject('state-key', got, `a secret of at least ${SHORTEST_STATE_KEY} characters`);
    }
    return value;
}
function parseMatrix(reader) {
    const value = reader.text('matrix');
    const matrix = value === '' ? null : parseJson(value);
    if (matrix === undefined) {
        reader.reject('matrix', quoted(value), 'the JSON of `toJSON(matrix)`: leave it to its default');
    }
    return matrix === null || matrix === undefined ? '' : JSON.stringify(matrix);
}
function parseRepositoryPath(reader, name, value) {
    const path = value.replaceAll('\\', '/').replace(/^(\.\/)+/, '');
    if (path.startsWith('/') || /^[A-Za-z]:/.test(path) || path.split('/').includes('..')) {
        reader.reject(name, quoted(value), 'a path inside the repository, relative to its root');
    }
    return path;
}
function refuseLiveKey(reader, name) {
    if (!reader.text('api-key').startsWith('sk_live_'))
        return;
    reader.reject(name, 'set beside a live key', 'a value only with a sandbox key (`sk_test_…`): leave it out where the live key is used');
}

;// CONCATENATED MODULE: ./lib/concurrently.js
/**
 * Works on all items, at most `limit` at a time, in order of their start. The first failure stops new starts and aborts
 * what is under way; it is thrown once all of that has ended, so that nothing goes on behind the caller's back.
 *
 * @param work its signal is aborted, with the failure as its reason, when another item's work fails; it is told its lane,
 *   counted from 0, so that it can keep what is costly to make, such as a buffer
 */
async function concurrently(items, limit, work) {
    const results = [];
    results.length = items.length;
    const queue = items.entries();
    const stop = new AbortController();
    let failure;
    const worker = async (_, lane) => {
        for (const [index, item] of queue) {
            if (failure)
                return;
            try {
                results[index] = await work(item, stop.signal, lane);
            }
            catch (error) {
                failure ??= { error };
                stop.abort(error);
            }
        }
    };
    await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
    if (failure)
        throw failure.error;
    return results;
}

;// CONCATENATED MODULE: ./lib/media/walk.js






/** Node reads with a few threads; some more directories waiting keep them busy. */
const LANES = 16;
/** Reads only the directories that a pattern can reach. */
async function walk(workspace, lines, signal) {
    const files = [];
    const links = [];
    const matched = new Set();
    const problems = [];
    const visit = async ({ path: parent, reach }) => {
        signal?.throwIfAborted();
        let entries;
        try {
            entries = await (0,promises_.readdir)(external_node_path_.join(workspace, parent), { withFileTypes: true });
        }
        catch (error) {
            // Going on would judge less than was asked for, and call it a pass.
            problems.push(walk_unreadable(parent, error));
            return [];
        }
        const found = [];
        for (const entry of entries) {
            const child = parent === '' ? entry.name : `${parent}/${entry.name}`;
            const name = nameOf(entry.name);
            if (entry.isDirectory()) {
                const below = enter(lines, reach, name);
                for (const line of below.cut)
                    matched.add(line);
                if (canMatch(lines, below))
                    found.push({ path: child, reach: below });
            }
            else if (entry.isFile() || entry.isSymbolicLink()) {
                const matching = linesMatching(lines, reach, name);
                for (const line of matching)
                    matched.add(line);
                if (isSelected(lines, matching))
                    (entry.isFile() ? files : links).push(child);
                else if (entry.isSymbolicLink() && canMatch(lines, enter(lines, reach, name))) {
                    if (await isDirectory(external_node_path_.join(workspace, child)))
                        links.push(child);
                }
            }
        }
        return found;
    };
    const root = start(lines);
    let level = canMatch(lines, root) ? [{ path: '', reach: root }] : [];
    while (level.length > 0)
        level = (await concurrently(level, LANES, visit)).flat();
    if (problems.length > 0)
        throw new GateError(problems);
    return { files: files.toSorted(byCodeUnit), links: links.toSorted(byCodeUnit), matched };
}
/** The same order on every machine, whatever its language. */
function byCodeUnit(a, b) {
    return a < b ? -1 : Number(a > b);
}
async function isDirectory(absolutePath) {
    try {
        return (await (0,promises_.stat)(absolutePath)).isDirectory();
    }
    catch {
        // A link that leads nowhere hides no files.
        return false;
    }
}
function walk_unreadable(directory, error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    return {
        reason: 'pre-flight',
        path: directory === '' ? '.' : directory,
        message: `The directory cannot be read (${why}), so the files in it cannot be checked.`,
        fix: 'Let the user of the job read it, or exclude it with a line that starts with `!` in the input `files`.',
    };
}

;// CONCATENATED MODULE: ./lib/media/discover.js




/** More names than that help nobody. */
const MOST_LINKS_NAMED = 10;
/** Finds the files that the input `files` means. */
async function discover(lines, workspace, options = {}) {
    await assertCheckedOut(workspace);
    const found = await walk(workspace, lines, options.signal);
    return {
        files: found.files.map((file) => ({ path: file, absolutePath: external_node_path_.join(workspace, file) })),
        notices: [...(options.isDefault ? [] : unmatched(lines, found)), ...linksLeftOut(found)],
    };
}
function unmatched(lines, { matched }) {
    if (lines.every(({ exclude }) => exclude))
        return ['Every line of the input `files` excludes, so no file can match.'];
    return lines
        .filter(({ exclude }, line) => !exclude && !matched.has(line))
        .map(({ text }) => `The pattern "${text}" of the input \`files\` matches no file.`);
}
function linksLeftOut({ links }) {
    if (links.length === 0)
        return [];
    const named = links.slice(0, MOST_LINKS_NAMED).join(', ');
    const more = links.length > MOST_LINKS_NAMED ? ` and ${links.length - MOST_LINKS_NAMED} more` : '';
    return [`Symbolic links are not followed; left out: ${named}${more}.`];
}
/** A gate that finds nothing because nothing was checked out must not look like one that found nothing wrong. */
async function assertCheckedOut(workspace) {
    let names;
    try {
        names = await (0,promises_.readdir)(workspace);
    }
    catch (error) {
        throw discover_notCheckedOut('cannot be read', error);
    }
    if (names.every((name) => name === '.git'))
        throw discover_notCheckedOut('is empty');
}
function discover_notCheckedOut(how, cause) {
    return new GateError({
        reason: 'checkout',
        message: `The workspace ${how}: there are no files to check.`,
        fix: 'Run `actions/checkout` in a step before this one.',
    }, { cause });
}

;// CONCATENATED MODULE: ./lib/media/types.js
/** MIME type, then the extensions that go by it. A `?` marks types that need not begin in a way of their own. */
const VIDEO = {
    'video/mp4': 'mp4 f4v mp4v',
    'video/x-m4v': 'm4v',
    'video/quicktime': 'mov qt',
    'video/webm': 'webm',
    'video/x-matroska': 'mkv mk3d',
    'video/x-msvideo': 'avi',
    'video/x-ms-wmv': 'wmv',
    'video/x-ms-asf': 'asf',
    'video/x-flv': 'flv',
    'video/mpeg': 'mpg? mpeg? mpe? m1v? m2v? m2p? vob?',
    'video/mp2t': 'ts? mts? m2ts? m2t?',
    'video/3gpp': '3gp',
    'video/3gpp2': '3g2',
    'video/ogg': 'ogv ogm',
    'application/mxf': 'mxf?',
};
const AUDIO = {
    'audio/mpeg': 'mp3? mp2? mp1? mpga?',
    'audio/mp4': 'm4a m4b m4p f4a f4b',
    'audio/aac': 'aac?',
    'audio/wav': 'wav? wave?',
    'audio/flac': 'flac',
    'audio/ogg': 'ogg oga opus spx',
    'application/ogg': 'ogx',
    'audio/webm': 'weba',
    'audio/x-matroska': 'mka',
    'audio/x-ms-wma': 'wma',
    'audio/aiff': 'aif aiff aifc',
    'audio/amr': 'amr',
    'audio/ac3': 'ac3? eac3?',
    'audio/x-caf': 'caf',
    'audio/midi': 'mid midi',
};
const IMAGE = {
    'image/jpeg': 'jpg jpeg jpe jfif',
    'image/png': 'png',
    'image/apng': 'apng',
    'image/gif': 'gif',
    'image/webp': 'webp',
    'image/avif': 'avif',
    'image/heic': 'heic hif',
    'image/heif': 'heif',
    'image/tiff': 'tif tiff',
    'image/bmp': 'bmp dib',
    'image/svg+xml': 'svg',
    'image/x-icon': 'ico cur',
    'image/vnd.adobe.photoshop': 'psd',
    'image/jxl': 'jxl',
    'image/jp2': 'jp2',
};
const DOCUMENT = {
    'application/pdf': 'pdf',
    'application/rtf': 'rtf',
    'application/postscript': 'ps eps',
    'application/epub+zip': 'epub',
    'application/msword': 'doc dot',
    'application/vnd.ms-excel': 'xls xlt',
    'application/vnd.ms-powerpoint': 'ppt pot pps',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.template': 'dotx',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.template': 'xltx',
    'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
    'application/vnd.openxmlformats-officedocument.presentationml.slideshow': 'ppsx',
    'application/vnd.openxmlformats-officedocument.presentationml.template': 'potx',
    'application/vnd.ms-word.document.macroenabled.12': 'docm',
    'application/vnd.ms-excel.sheet.macroenabled.12': 'xlsm',
    'application/vnd.ms-powerpoint.presentation.macroenabled.12': 'pptm',
    'application/vnd.oasis.opendocument.text': 'odt',
    'application/vnd.oasis.opendocument.spreadsheet': 'ods',
    'application/vnd.oasis.opendocument.presentation': 'odp',
    'application/vnd.oasis.opendocument.graphics': 'odg',
    'application/vnd.apple.pages': 'pages',
    'application/vnd.apple.numbers': 'numbers',
    'application/vnd.apple.keynote': 'key',
    'text/plain': 'txt? text? log?',
    'text/csv': 'csv?',
    'text/tab-separated-values': 'tsv?',
    'text/markdown': 'md? markdown?',
    'text/html': 'html? htm?',
    'application/xhtml+xml': 'xhtml?',
    'application/xml': 'xml?',
    'application/json': 'json?',
    'text/vtt': 'vtt?',
    'application/x-subrip': 'srt?',
};
const BY_EXTENSION = new Map([
    ...types_read('video', VIDEO),
    ...types_read('audio', AUDIO),
    ...types_read('image', IMAGE),
    ...types_read('document', DOCUMENT),
]);
/** The type that an extension stands for. */
function typeOfExtension(extension) {
    return BY_EXTENSION.get(extension);
}
function mediaType(extension, mime) {
    const known = BY_EXTENSION.get(extension);
    return { extension, mime: known?.mime ?? mime, category: known?.category ?? categoryOfMime(mime) };
}
/** Lower case and without the dot; empty where there is none. */
function extensionOf(path) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const dot = name.lastIndexOf('.');
    return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
}
const TEXT = namesOf(Object.entries(DOCUMENT).filter(([, extensions]) => extensions.includes('?')));
const ISO_MEDIA = ['mp4', 'mp4v', 'm4v', 'f4v', '3gp', '3g2', 'm4a', 'm4b', 'm4p', 'f4a', 'f4b'];
const QUICKTIME = ['mov', 'qt'];
const OGG_AUDIO = ['ogg', 'oga', 'opus', 'spx', 'ogx'];
const OGG_VIDEO = ['ogv', 'ogm', 'ogx'];
const HEIF = ['heic', 'heif', 'hif'];
const IWORK = ['pages', 'numbers', 'key'];
const ZIPPED = namesOf(Object.entries(DOCUMENT).filter(([mime]) => /openxml|macroenabled|opendocument|apple|epub/.test(mime)));
/**
 * For each name that detection gives, the extensions whose files can begin just so: there the extension decides. Bytes
 * name a container; which of its uses a file is often stands nowhere, or far inside.
 */
const MAY_BE = {
    ...Object.fromEntries(ISO_MEDIA.map((name) => [name, ISO_MEDIA])),
    mov: QUICKTIME,
    // No `ftyp` box: QuickTime of old, or an MP4 that leaves it out.
    moov: [...QUICKTIME, ...ISO_MEDIA],
    webm: ['webm', 'weba'],
    mkv: ['mkv', 'mk3d', 'mka'],
    asf: ['asf', 'wma', 'wmv'],
    mpg: namesOf([['', VIDEO['video/mpeg']]]),
    mts: namesOf([['', VIDEO['video/mp2t']]]),
    // The first stream may be sound where a later one is video.
    ogg: [...OGG_AUDIO, ...OGG_VIDEO],
    oga: [...OGG_AUDIO, ...OGG_VIDEO],
    opus: [...OGG_AUDIO, ...OGG_VIDEO],
    spx: [...OGG_AUDIO, ...OGG_VIDEO],
    ogx: [...OGG_AUDIO, ...OGG_VIDEO],
    ogv: OGG_VIDEO,
    ogm: OGG_VIDEO,
    heic: HEIF,
    // A brand that AVIF files carry too.
    heif: [...HEIF, 'avif'],
    apng: ['png', 'apng'],
    png: ['png', 'apng'],
    cfb: ['doc', 'dot', 'xls', 'xlt', 'ppt', 'pot', 'pps'],
    zip: ZIPPED,
    pages: IWORK,
    numbers: IWORK,
    key: IWORK,
    ps: ['eps'],
    eps: ['ps'],
    txt: TEXT,
    html: TEXT,
    xml: TEXT,
    // SVG is text: it can as well be the example in a document.
    svg: TEXT,
    // Markup whose root element is further in than we look.
    markup: [...TEXT, 'svg'],
};
/** Whether files of this extension are text, in whatever encoding. */
function isText(extension) {
    return extension === 'svg' || TEXT.includes(extension);
}
/** Whether a file of this extension can begin as the detected type does. */
function mayBe(detected, extension) {
    const mime = BY_EXTENSION.get(detected)?.mime;
    const sameType = mime !== undefined && mime === BY_EXTENSION.get(extension)?.mime;
    return detected === extension || sameType || (MAY_BE[detected]?.includes(extension) ?? false);
}
function categoryOfMime(mime) {
    const [top] = mime.split('/');
    return top === 'video' || top === 'audio' || top === 'image' ? top : undefined;
}
function types_read(category, table) {
    return Object.entries(table).flatMap(([mime, extensions]) => extensions
        .split(' ')
        .map((entry) => [entry.replace('?', ''), { mime, category, signed: !entry.endsWith('?') }]));
}
function namesOf(rows) {
    return rows.flatMap(([, extensions]) => extensions.replaceAll('?', '').split(' '));
}

;// CONCATENATED MODULE: ./lib/media/classify.js

/** What to call a file by its bytes alone, where detection only names a container. */
const PLAIN = {
    moov: ['mov', 'video/quicktime'],
    markup: ['xml', 'application/xml'],
};
/** These extensions belong to TypeScript as much as to MPEG. */
const SOURCE_CODE_TOO = new Set(['ts', 'mts']);
/** Bytes decide where they can tell, the extension where they cannot. */
function classify(path, sniffed) {
    const extension = extensionOf(path);
    const isSource = sniffed?.extension === 'txt' && SOURCE_CODE_TOO.has(extension);
    const claimed = isSource ? undefined : typeOfExtension(extension);
    if (sniffed === undefined) {
        if (claimed?.signed)
            return { kind: 'contradiction', claimed: claimed.mime, actual: 'of no type that we know' };
        const unknown = mediaType(/^[a-z0-9]+$/.test(extension) ? extension : 'bin', 'application/octet-stream');
        return { kind: 'clear', type: unknown };
    }
    if (claimed !== undefined && mayBe(sniffed.extension, extension)) {
        return { kind: 'clear', type: mediaType(extension, claimed.mime) };
    }
    const type = mediaType(...(PLAIN[sniffed.extension] ?? [sniffed.extension, sniffed.mime]));
    if (claimed === undefined)
        return { kind: 'clear', type };
    // Ogg video was called `.ogg` too before it had an extension of its own.
    const isOggVideo = extension === 'ogg' && type.mime === 'video/ogg';
    if (claimed.category === type.category || isOggVideo)
        return { kind: 'renamed', type, claimed: claimed.mime };
    return { kind: 'contradiction', claimed: claimed.mime, actual: type.mime };
}

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __nccwpck_require__(77598);
;// CONCATENATED MODULE: ./lib/media/open.js



/**
 * Opens a file that was found, and closes it when `work` is done. What was a file then may be something else by now: a
 * link is not followed, and a pipe does not keep us waiting. (Windows has neither flag.)
 */
async function withFile(file, work) {
    let handle;
    try {
        const flags = external_node_fs_.constants.O_RDONLY | (external_node_fs_.constants.O_NOFOLLOW ?? 0) | (external_node_fs_.constants.O_NONBLOCK ?? 0);
        handle = await (0,promises_.open)(file.absolutePath, flags);
    }
    catch (error) {
        throw new GateError(openProblem(file.path, codeOf(error)), { cause: error });
    }
    try {
        const stats = await handle.stat();
        if (!stats.isFile())
            throw new GateError(openProblem(file.path, 'ENOTREG'));
        return await work(handle, stats);
    }
    catch (error) {
        const code = codeOf(error);
        if (code === '')
            throw error;
        throw new GateError(openProblem(file.path, code), { cause: error });
    }
    finally {
        await handle.close();
    }
}
/** The system's name for what went wrong; empty for what is not its error, such as ours and an abort. */
function codeOf(error) {
    return error instanceof Error && 'syscall' in error && 'code' in error ? String(error.code) : '';
}
function openProblem(path, code) {
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP' || code === 'ENOTREG') {
        const message = 'The file was found, but was gone or replaced when it was to be read.';
        return { reason: 'pre-flight', path, message, fix: 'Run this step after every step that moves or writes files.' };
    }
    return {
        reason: 'pre-flight',
        path,
        message: `The file cannot be read (${code}).`,
        fix: 'Let the user of the job read it, or exclude it with a line that starts with `!` in the input `files`.',
    };
}

;// CONCATENATED MODULE: ./lib/media/stamp.js


function stampOf({ size, mtimeMs, ino }) {
    return { size, mtimeMs, ino };
}
function isSameStamp(a, b) {
    return a.size === b.size && a.mtimeMs === b.mtimeMs && a.ino === b.ino;
}
function changedProblem(path) {
    return {
        reason: 'pre-flight',
        path,
        message: 'The file changed while it was being checked, so what would be sent is not what was inspected.',
        fix: 'Run this step after every step that writes the file.',
    };
}
/** Throws where the file is no longer the one that was inspected. */
async function assertUnchanged(file) {
    let now;
    try {
        now = stampOf(await (0,promises_.lstat)(file.absolutePath));
    }
    catch (error) {
        throw new GateError(changedProblem(file.path), { cause: error });
    }
    if (!isSameStamp(file.stamp, now))
        throw new GateError(changedProblem(file.path));
}

;// CONCATENATED MODULE: ./lib/media/hash.js




const CHUNK_BYTES = 1024 * 1024;
function makeHashBuffers() {
    return [new Uint8Array(CHUNK_BYTES), new Uint8Array(CHUNK_BYTES)];
}
/** Throws a `GateError` where the file cannot be read or changes meanwhile. */
async function hashFile(file, options = {}) {
    const [first, second] = options.buffers ?? makeHashBuffers();
    return withFile(file, async (handle, stats) => {
        const hash = (0,external_node_crypto_.createHash)('sha256');
        let [current, other] = [first, second];
        let position = 0;
        let reading = handle.read(current, 0, current.length, position);
        for (;;) {
            const { bytesRead } = await reading;
            if (bytesRead === 0)
                break;
            options.signal?.throwIfAborted();
            position += bytesRead;
            // A file that someone keeps appending to would never end.
            if (position > stats.size)
                break;
            reading = handle.read(other, 0, other.length, position);
            hash.update(current.subarray(0, bytesRead));
            [current, other] = [other, current];
        }
        const stamp = stampOf(stats);
        if (position !== stats.size || !isSameStamp(stamp, stampOf(await handle.stat()))) {
            throw new GateError(changedProblem(file.path));
        }
        return { sha256: hash.digest('hex'), stamp };
    });
}

;// CONCATENATED MODULE: ./lib/media/size.js
const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];
/** Decimal, as the service's limits are written: `1.5 MB`. */
function formatBytes(bytes) {
    let value = bytes;
    let unit = 0;
    // 999,950 bytes would be rounded to 1000.0 kB.
    while (unit < UNITS.length - 1 && value >= (unit === 0 ? 1000 : 999.95)) {
        value /= 1000;
        unit++;
    }
    const number = unit === 0 ? String(value) : value.toFixed(1).replace(/\.0$/, '');
    return `${number} ${value === 1 && unit === 0 ? 'byte' : UNITS[unit]}`;
}

;// CONCATENATED MODULE: ./lib/media/lfs.js

/** Pointers are tiny; a larger file that begins like one is a text about them. */
const LARGEST_POINTER = 1024;
/** From its first to its last byte: whatever else is in a file would be waved through with the content it points to. */
const POINTER = /^version https:\/\/(?:git-lfs|hawser)\.github\.com\/spec\/v1\r?\n(?<extensions>(?:ext-\d-[\w.-]+ sha256:[0-9a-f]{64}\r?\n)*)oid sha256:(?<sha256>[0-9a-f]{64})\r?\nsize (?<size>\d{1,15})(?:\r?\n)?$/;
/** `extended` where an LFS extension changed the content before it was stored: then the hash is not that of the file. */
function parsePointer(path, content) {
    if (content.length > LARGEST_POINTER)
        return undefined;
    const { extensions, sha256, size } = POINTER.exec(new TextDecoder().decode(content))?.groups ?? {};
    if (sha256 === undefined)
        return undefined;
    return extensions === '' ? { path, sha256, size: Number(size) } : 'extended';
}
const CHECK_OUT = 'Set `lfs: true` in the step that runs `actions/checkout`.';
/** For a pointer whose content is not known from an earlier run. */
function pointerProblem({ path, size }) {
    return {
        reason: 'pre-flight',
        path,
        message: `This is a Git LFS pointer: the file itself (${formatBytes(size)}) was not checked out.`,
        fix: CHECK_OUT,
    };
}
function extendedProblem(path) {
    return {
        reason: 'pre-flight',
        path,
        message: 'This is a Git LFS pointer with an extension: the file itself was not checked out.',
        fix: CHECK_OUT,
    };
}

// EXTERNAL MODULE: external "node:buffer"
var external_node_buffer_ = __nccwpck_require__(4573);
;// CONCATENATED MODULE: ./lib/media/text.js

/** Where readers look for the header of a PDF. */
const PDF_WITHIN = 1024;
/**
 * What kind of text a file is, from its head; undefined where it is not text.
 *
 * This comes before magic numbers: some of those are two or three letters, and a table that begins with "ID3" or "BM" is
 * neither music nor a bitmap.
 */
function sniffText(head, isTextByName) {
    const text = decode(head, isTextByName);
    if (text === undefined)
        return undefined;
    // Readers accept a PDF with something before its header; a text may speak of one.
    const isPdf = isTextByName ? text.startsWith('%PDF-') : text.slice(0, PDF_WITHIN).includes('%PDF-');
    if (isPdf)
        return { extension: 'pdf', mime: 'application/pdf' };
    const begun = text.trimStart();
    if (begun.startsWith('{\\rtf'))
        return { extension: 'rtf', mime: 'application/rtf' };
    if (begun.startsWith('%!PS')) {
        const extension = /^%!PS-Adobe-\S+ EPSF-/.test(begun) ? 'eps' : 'ps';
        return { extension, mime: 'application/postscript' };
    }
    return text_rootOf(text) ?? { extension: 'txt', mime: 'text/plain' };
}
function decode(head, isTextByName) {
    if (head[0] === 0xff && head[1] === 0xfe)
        return decodeWide(head, 'utf-16le');
    if (head[0] === 0xfe && head[1] === 0xff)
        return decodeWide(head, 'utf-16be');
    if (head.some(isControl))
        return undefined;
    // Old encodings are no valid UTF-8, but nor is much else that is free of control characters: there the name decides.
    if (!isTextByName && !(0,external_node_buffer_.isUtf8)(withoutCutCharacter(head)))
        return undefined;
    return new TextDecoder().decode(head);
}
function decodeWide(head, encoding) {
    const text = new TextDecoder(encoding).decode(head);
    // Two bytes of a mark can also begin a binary file.
    return /[\0\ufffd]/.test(text.slice(0, -1)) ? undefined : text;
}
function isControl(byte) {
    return byte < 0x20 && !(byte >= 0x08 && byte <= 0x0d) && byte !== 0x1b;
}
/** The head may end in the middle of a character. */
function withoutCutCharacter(head) {
    for (let back = 1; back <= Math.min(3, head.length); back++) {
        const byte = head[head.length - back] ?? 0;
        if (byte >= 0xc0)
            return head.subarray(0, head.length - back);
        if (byte < 0x80)
            break;
    }
    return head;
}
const PROLOG = /^(?:\s+|<\?[^]*?\?>|<!--[^]*?-->|<!doctype[^[>]*(?:\[[^]*?\]\s*)?>)/i;
const PROLOG_NOT_CLOSED = /^<(?:\?|!--|!doctype)/i;
const ELEMENT = /^<(?:[\w.-]+:)?([a-z][\w-]*)(?=[\s/>])/i;
/** The kind of markup, by its first element; undefined where the text is no markup. */
function text_rootOf(text) {
    let rest = text.trimStart();
    const isXml = rest.startsWith('<?xml');
    for (let prolog = PROLOG.exec(rest); prolog; prolog = PROLOG.exec(rest))
        rest = rest.slice(prolog[0].length);
    if (PROLOG_NOT_CLOSED.test(rest))
        return { extension: 'markup', mime: 'application/xml' };
    const root = ELEMENT.exec(rest)?.[1]?.toLowerCase();
    if (root === 'svg')
        return { extension: 'svg', mime: 'image/svg+xml' };
    if (root === 'html')
        return { extension: 'html', mime: 'text/html' };
    return isXml ? { extension: 'xml', mime: 'application/xml' } : undefined;
}

;// CONCATENATED MODULE: ./lib/media/sniff.js


/** Enough for the longest prolog before an SVG's root that is likely; everything else is told by far less. */
const HEAD_BYTES = 64 * 1024;
/** No part of a file that detection asks for in one piece is larger; a file that says so is lying. */
const MOST_IN_ONE_READ = 4 * 1024 * 1024;
async function readHead(handle, size) {
    return readAt(handle, 0, Math.min(size, HEAD_BYTES));
}
/** What the bytes say, read piecewise: a large file is never read as a whole. Undefined where they say nothing. */
async function sniff(handle, size, head, extension) {
    const text = sniffText(head, isText(extension));
    if (text !== undefined)
        return text;
    // Loaded here because a run that ends earlier, or that finds only text, need not pay for it.
    const { fileTypeFromBlob } = await Promise.all(/* import() */[__nccwpck_require__.e(830), __nccwpck_require__.e(377)]).then(__nccwpck_require__.bind(__nccwpck_require__, 38377));
    let found;
    try {
        const result = await fileTypeFromBlob(new FileBlob(handle, 0, size), { maxBufferSize: MOST_IN_ONE_READ });
        found = result && { extension: result.ext, mime: result.mime };
    }
    catch (error) {
        if (error instanceof Error && 'syscall' in error)
            throw error;
        // What makes a parser stumble is not what it seems to be.
        return undefined;
    }
    return refine(found, head);
}
function refine(found, head) {
    const latin = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, PDF_WITHIN)).toString('latin1');
    // Readers accept a PDF with something before its header.
    if (found === undefined && latin.includes('%PDF-'))
        return { extension: 'pdf', mime: 'application/pdf' };
    if (found?.extension === 'mov' && latin.slice(4, 8) !== 'ftyp')
        return { ...found, extension: 'moov' };
    if (found?.mime.startsWith('image/heif'))
        return { ...found, extension: 'heif' };
    return found;
}
async function readAt(handle, position, length) {
    const buffer = new Uint8Array(length);
    let filled = 0;
    while (filled < length) {
        const { bytesRead } = await handle.read(buffer, filled, length - filled, position + filled);
        if (bytesRead === 0)
            break;
        filled += bytesRead;
    }
    return buffer.subarray(0, filled);
}
/**
 * An open file as a Blob. Detection seeks in a Blob, so that it can skip what it need not read; by a path it would open
 * the file a second time, and not surely the same one.
 */
class FileBlob extends Blob {
    size;
    #handle;
    #start;
    constructor(handle, start, end) {
        super([]);
        this.size = Math.max(0, end - start);
        this.#handle = handle;
        this.#start = start;
    }
    slice(start = 0, end = this.size) {
        return new FileBlob(this.#handle, this.#start + start, this.#start + Math.min(end, this.size));
    }
    async arrayBuffer() {
        const bytes = await readAt(this.#handle, this.#start, this.size);
        return bytes.buffer.slice(0, bytes.length);
    }
}

;// CONCATENATED MODULE: ./lib/media/inspect.js










/** Hashing keeps one core busy; a few files at a time keep the disk busy too. */
const CONCURRENCY = 4;
const MIB = 1024 * 1024;
/** The service's limits, in its words and in the larger reading of them: in between, the service itself decides. */
const LIMITS = {
    video: { text: '5 GB', bytes: 5 * 1024 * MIB },
    audio: { text: '500 MB', bytes: 500 * MIB },
    image: { text: '50 MB', bytes: 50 * MIB },
    document: { text: '100 MB', bytes: 100 * MIB },
};
/** Looks at every file before anything is sent, and tells all problems at once. */
async function inspect(discovery, options = {}) {
    const lanes = options.concurrency ?? CONCURRENCY;
    const buffers = Array.from({ length: Math.min(lanes, discovery.files.length) }, makeHashBuffers);
    const outcomes = await concurrently(discovery.files, lanes, async (file, _stop, lane) => {
        options.signal?.throwIfAborted();
        try {
            const examined = await examine(file);
            if (!('type' in examined))
                return examined;
            const { type, warning, stamp } = examined;
            const own = buffers[lane];
            const hashed = await hashFile(file, {
                ...(options.signal && { signal: options.signal }),
                ...(own && { buffers: own }),
            });
            if (!isSameStamp(stamp, hashed.stamp))
                return { problems: [changedProblem(file.path)] };
            return { file: { ...file, ...hashed, type }, warning };
        }
        catch (error) {
            if (error instanceof GateError)
                return { problems: error.causes };
            throw error;
        }
    });
    return {
        files: outcomes.flatMap((outcome) => ('file' in outcome ? [outcome.file] : [])),
        pointers: outcomes.flatMap((outcome) => ('pointer' in outcome ? [outcome.pointer] : [])),
        problems: outcomes.flatMap((outcome) => ('problems' in outcome ? outcome.problems : [])),
        warnings: outcomes.flatMap((outcome) => ('warning' in outcome && outcome.warning ? [outcome.warning] : [])),
    };
}
async function examine(file) {
    return withFile(file, async (handle, stats) => {
        const { path } = file;
        if (stats.size === 0)
            return { problems: [emptyProblem(path)] };
        const head = await readHead(handle, stats.size);
        const pointer = parsePointer(path, head);
        if (pointer)
            return pointer === 'extended' ? { problems: [extendedProblem(path)] } : { pointer };
        const found = classify(path, await sniff(handle, stats.size, head, extensionOf(path)));
        if (found.kind === 'contradiction')
            return { problems: [contradictionProblem(path, found)] };
        const tooLarge = sizeProblem(path, stats.size, found.type);
        if (tooLarge)
            return { problems: [tooLarge] };
        const warning = found.kind === 'renamed' ? renamedWarning(path, found) : undefined;
        return { type: found.type, warning, stamp: stampOf(stats) };
    });
}
function emptyProblem(path) {
    const message = 'The file is empty.';
    return { reason: 'pre-flight', path, message, fix: 'Add its content, or take it out of the repository.' };
}
function contradictionProblem(path, found) {
    return {
        reason: 'pre-flight',
        path,
        message: `Its name says ${found.claimed}, but its bytes are ${found.actual}.`,
        fix: 'Replace the file if it is damaged, give it the extension of what it is, or exclude it in the input `files`.',
    };
}
/** Exported for its limits, which no test should need real files for. */
function sizeProblem(path, size, { category }) {
    if (category === undefined || size <= LIMITS[category].bytes)
        return undefined;
    return {
        reason: 'pre-flight',
        path,
        message: `The file has ${formatBytes(size)}: the service takes at most ${LIMITS[category].text} for this category (${category}).`,
        fix: 'Make it smaller, or exclude it with a line that starts with `!` in the input `files`.',
    };
}
function renamedWarning(path, found) {
    const { mime, extension } = found.type;
    return `${path}: its name says ${found.claimed}, but its bytes are ${mime}; it is sent as .${extension}.`;
}

;// CONCATENATED MODULE: ./lib/policy/waivers.js

/** Finds the waiver of an issue, and remembers which waivers were of any use. */
class Waivers {
    #expired;
    #byRule;
    #used = new Set();
    /** Those that cover only some of the paths of an issue, with one that is not covered. */
    #partial = new Map();
    constructor(waivers, now) {
        const today = now.toISOString().slice(0, 10);
        this.#expired = waivers.filter(({ expires }) => expires < today);
        this.#byRule = Map.groupBy(waivers.filter(({ expires }) => expires >= today), ({ rule }) => rule);
    }
    /** Every path of the content must be covered: a copy in another place is a finding in another place. */
    waiverFor(issue, paths) {
        const forRule = this.#byRule.get(issue.ruleCode) ?? [];
        const covering = [];
        let uncovered;
        for (const path of paths) {
            const waiver = forRule.find((each) => selects([each.path], path));
            if (waiver)
                covering.push(waiver);
            else
                uncovered ??= path;
        }
        for (const waiver of covering) {
            if (uncovered === undefined)
                this.#used.add(waiver);
            else
                this.#partial.set(waiver, uncovered);
        }
        return uncovered === undefined ? covering[0] : undefined;
    }
    /**
     * What the people who keep the file should know, once every issue was asked for.
     *
     * @param isJudged whether there was anything that a waiver could match
     */
    notices(isJudged) {
        const valid = [...this.#byRule.values()].flat().toSorted((a, b) => a.line - b.line);
        const idle = isJudged ? valid.filter((waiver) => !this.#used.has(waiver)) : [];
        return [
            ...this.#expired.map((waiver) => `Expired on ${waiver.expires}: ${inWords(waiver)}. It no longer counts.`),
            ...idle.map((waiver) => {
                const uncovered = this.#partial.get(waiver);
                return uncovered === undefined
                    ? `No issue matches ${inWords(waiver)}. Remove it if it is no longer needed.`
                    : `The same file is also at ${uncovered}, which ${inWords(waiver)} does not cover. It does not count.`;
            }),
        ];
    }
}
/** "the waiver of AD-17 for campaign/hero.mp4 (line 3, owner legal@example.com)" */
function inWords({ rule, path, owner, line }) {
    return `the waiver of ${rule} for ${path.text} (line ${line}, owner ${owner})`;
}

;// CONCATENATED MODULE: ./lib/policy/waivers-yaml.js
const TOO_DEEP = 'it is nested too deeply';
/**
 * A list of entries, each of keys and texts: all of YAML that a waivers file takes. Aliases are refused rather than
 * followed, and so is what is nested, so that a small file cannot make much work.
 */
async function readList(text) {
    // Loaded when first needed: most gates have no waivers.
    const yaml = await __nccwpck_require__.e(/* import() */ 815).then(__nccwpck_require__.t.bind(__nccwpck_require__, 38815, 19));
    const lines = new yaml.LineCounter();
    const document = waivers_yaml_parse(text, lines, yaml);
    if (!document)
        return [{ line: 1, what: TOO_DEEP }];
    if (document.errors.length > 0) {
        return document.errors.map(({ pos, message }) => ({ line: lines.linePos(pos[0]).line, what: firstLine(message) }));
    }
    const list = document.contents;
    // Nothing but comments.
    if (list === null || (yaml.isScalar(list) && list.value === ''))
        return [];
    if (!yaml.isSeq(list))
        return [{ line: 1, what: 'it is not a list of waivers' }];
    return list.items.flatMap((item) => readItem(item, lines, yaml));
}
function waivers_yaml_parse(text, lineCounter, yaml) {
    try {
        // Values stay text. Equal keys are found below, in time that does not grow by their square.
        return yaml.parseDocument(text, { lineCounter, schema: 'failsafe', strict: true, uniqueKeys: false });
    }
    catch (error) {
        // The parser has used up the stack.
        if (error instanceof RangeError)
            return undefined;
        throw error;
    }
}
function readItem(item, lines, yaml) {
    const line = lineOf(item, lines);
    if (!yaml.isMap(item))
        return [{ line, what: 'the entry is not a set of keys and values' }];
    const values = new Map();
    const flaws = [];
    for (const { key, value } of item.items) {
        const name = yaml.isScalar(key) ? String(key.value) : '';
        if (values.has(name))
            flaws.push({ line: lineOf(key, lines), what: `${waivers_yaml_quoted(name)} is there twice` });
        if (!yaml.isScalar(value))
            flaws.push({ line: lineOf(key, lines), what: `${waivers_yaml_quoted(name)} is not a plain text` });
        values.set(name, yaml.isScalar(value) ? String(value.value) : '');
    }
    return flaws.length > 0 ? flaws : [{ line, values }];
}
function lineOf(item, lines) {
    return lines.linePos(item.range?.[0] ?? 0).line;
}
/** The rest shows a piece of the file. */
function firstLine(message) {
    if (message.includes('call stack'))
        return TOO_DEEP;
    return (message.split('\n')[0] ?? '').replace(/ at line .*$/, '').replace(/\.$/, '');
}
function waivers_yaml_quoted(name) {
    return `\`${name.length > 40 ? `${name.slice(0, 40)}…` : name}\``;
}

;// CONCATENATED MODULE: ./lib/policy/waivers-file.js




/** Bytes; some two thousand waivers. Whoever opens a pull request can send us one: it must not keep us busy. */
const LARGEST_WAIVERS_FILE = 256 * 1024;
const Text = dist/* pipe */.FsL(dist/* string */.YjP(), dist/* trim */.Bqr(), dist/* minLength */.BpQ(1));
const Entry = dist/* object */.Ikc({
    rule: Text,
    path: Text,
    owner: Text,
    reason: Text,
    expires: dist/* pipe */.FsL(dist/* string */.YjP(), dist/* trim */.Bqr(), dist/* isoDate */._$n(), dist/* check */.z6Y(isRealDate)),
});
const KEYS = Object.keys(Entry.entries);
const TAKES = `Each entry has the keys ${KEYS.map(waivers_yaml_quoted).join(', ')}, none of them empty; \`expires\` is a date such as 2027-01-31, and a path that begins with \`*\`, \`{\` or \`[\` stands in quotes.`;
/** Of all patterns together: one that stands for thousands of others is not read by people either. */
const waivers_file_MOST_ALTERNATIVES = 10_000;
const MOST_FLAWS = 20;
/** Reads a waivers file. Everything that is wrong with it is told at once, with the line. */
async function parseWaivers(text, file) {
    if (Buffer.byteLength(text) > LARGEST_WAIVERS_FILE)
        throw new GateError(waivers_file_tooLarge(file));
    const waivers = [];
    const flaws = [];
    let alternatives = 0;
    for (const entry of await readList(text)) {
        if (flaws.length >= MOST_FLAWS)
            break;
        const read = 'what' in entry ? [entry] : readEntry(entry);
        if (Array.isArray(read)) {
            flaws.push(...read);
            continue;
        }
        waivers.push(read);
        alternatives += read.path.alternatives.length;
        if (alternatives > waivers_file_MOST_ALTERNATIVES) {
            flaws.push({ line: read.line, what: 'up to here, the braces in the paths stand for too many patterns' });
            break;
        }
    }
    if (flaws.length > 0)
        throw new GateError(flaws.slice(0, MOST_FLAWS).map((flaw) => problem(file, flaw)));
    return waivers;
}
/** The waiver, or what is wrong with it. */
function readEntry({ line, values }) {
    const unknown = [...values.keys()].filter((key) => !KEYS.includes(key));
    const missing = KEYS.filter((key) => !values.has(key));
    if (unknown.length > 0 || missing.length > 0) {
        return [
            ...unknown.map((key) => ({ line, what: `${waivers_yaml_quoted(key)} is no key of a waiver` })),
            ...missing.map((key) => ({ line, what: `${waivers_yaml_quoted(key)} is missing` })),
        ];
    }
    const parsed = dist/* safeParse */.xLC(Entry, Object.fromEntries(values));
    if (!parsed.success) {
        const wrong = new Set(parsed.issues.map((issue) => dist/* getDotPath */.BuJ(issue) ?? ''));
        return [...wrong].map((key) => ({ line, what: `${waivers_yaml_quoted(key)} is empty or not right` }));
    }
    const path = readPath(parsed.output.path);
    return typeof path === 'string' ? [{ line, what: path }] : { ...parsed.output, path, line };
}
/** The pattern, or what is wrong with it. */
function readPath(text) {
    const pattern = parsePattern(text, { workspace: '', windows: false });
    if (typeof pattern === 'string')
        return `\`path\` is ${JSON.stringify(text)}, ${pattern}`;
    return pattern.exclude ? '`path` begins with `!`, which a waiver cannot' : pattern;
}
function problem(file, { line, what }) {
    return { reason: 'bad-input', path: file, message: `Line ${line} of the waivers file: ${what}.`, fix: TAKES };
}
function waivers_file_tooLarge(file) {
    const fix = `Keep at most ${LARGEST_WAIVERS_FILE / 1024} KiB: waivers that have expired can go.`;
    return { reason: 'bad-input', path: file, message: 'The waivers file is too large.', fix };
}
function isRealDate(date) {
    return !Number.isNaN(Date.parse(date)) && new Date(date).toISOString().startsWith(date);
}

;// CONCATENATED MODULE: ./lib/policy/waiver-source.js






/**
 * In a pull request the waivers of the base commit count: one that the pull request itself adds is only proposed, or
 * its author could wave everything through. Elsewhere those in the workspace count.
 */
async function findWaivers(file, context, api) {
    const { workspace, baseCommit } = context;
    const here = await inWorkspace(file, workspace);
    if (baseCommit === undefined) {
        if (!here)
            throw new GateError(missing(file));
        return { waivers: here, notices: [] };
    }
    const base = await atBase(file, baseCommit, api);
    if (!base && !here)
        throw new GateError(missing(file));
    if (typeof base === 'string')
        return { waivers: [], notices: [`No waiver counts in this run: ${base}`] };
    const counting = new Set((base ?? []).map(keyOf));
    const proposed = (here ?? []).filter((waiver) => !counting.has(keyOf(waiver)));
    return {
        waivers: base ?? [],
        notices: proposed.map((waiver) => `Proposed, and not counted before it is merged: ${inWords(waiver)}.`),
    };
}
/** The waivers there, undefined without such a file, or why it could not be read. */
async function atBase(file, commit, api) {
    try {
        const text = await api.textAt(file, commit);
        return text === undefined ? undefined : await parseWaivers(text, file);
    }
    catch (error) {
        if (error instanceof GitHubError)
            return `the waivers file of the base commit could not be read. ${error.message} ${error.fix}`;
        // Its own file may be what mends it: the pull request must not be blocked by what it repairs.
        if (error instanceof GateError)
            return `in the base commit, ${lowerCase(error.causes[0]?.message ?? '')}`;
        throw error;
    }
}
async function inWorkspace(file, workspace) {
    const text = await textInWorkspace(file, workspace);
    return text === undefined ? undefined : await parseWaivers(text, file);
}
/**
 * Undefined where there is no such file. Whoever opens a pull request decides what lies there: what a link leads to
 * outside the workspace, and what never ends, is not read.
 */
async function textInWorkspace(file, workspace) {
    try {
        const real = await (0,promises_.realpath)(external_node_path_.join(workspace, file));
        const stats = await (0,promises_.stat)(real);
        const isInside = real.startsWith((await (0,promises_.realpath)(workspace)) + external_node_path_.sep);
        if (!isInside || !stats.isFile())
            throw new GateError(waiver_source_unreadable(file));
        if (stats.size > LARGEST_WAIVERS_FILE)
            throw new GateError(waivers_file_tooLarge(file));
        return await (0,promises_.readFile)(real, 'utf8');
    }
    catch (error) {
        if (error instanceof GateError)
            throw error;
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
            return undefined;
        throw new GateError(waiver_source_unreadable(file), { cause: error });
    }
}
function waiver_source_unreadable(file) {
    return { ...missing(file), message: `The waivers file ${JSON.stringify(file)} is not a file that can be read.` };
}
function missing(file) {
    return {
        reason: 'bad-input',
        message: `Input \`waivers-file\` is ${JSON.stringify(file)}, and there is no such file.`,
        fix: 'Give the path of a YAML file in the repository, or leave the input out.',
    };
}
function keyOf({ rule, path: pattern, owner, reason, expires }) {
    return JSON.stringify([rule, pattern.text, owner, reason, expires]);
}
function lowerCase(sentence) {
    return sentence.slice(0, 1).toLowerCase() + sentence.slice(1);
}

;// CONCATENATED MODULE: ./lib/policy/compare.js

/**
 * Compares two analyses of a file. Issues get new ids in every analysis, so they are matched as a multiset of rule code
 * and sidekick: one more of a kind is new, and so is one that became more severe.
 */
function compare(current, earlier) {
    const pool = Map.groupBy(earlier.toSorted(bySeverity), kindOf);
    const added = new Set();
    for (const issue of current.toSorted(bySeverity)) {
        const same = pool.get(kindOf(issue)) ?? [];
        // The mildest that is at least as severe, so that the more severe ones are left for those that need them.
        const index = same.findLastIndex(({ severity }) => rank(severity) <= rank(issue.severity));
        if (index === -1)
            added.add(issue);
        else
            same.splice(index, 1);
    }
    return { added, gone: [...pool.values()].flat() };
}
function kindOf({ ruleCode, sidekickId }) {
    return JSON.stringify([ruleCode, sidekickId ?? '']);
}
/** Worst first. */
function bySeverity(a, b) {
    return rank(a.severity) - rank(b.severity);
}
function rank(severity) {
    return SEVERITIES.indexOf(severity);
}

;// CONCATENATED MODULE: ./lib/policy/judge.js


/** Judges the issues of one content, worst first. */
function judge(issues, place, rules) {
    const added = rules.baseline && addedTo(rules.baseline, issues, place);
    return issues
        .map((issue) => {
        const isNew = added?.has(issue);
        const waiver = acceptanceOf(rules.waivers?.waiverFor(issue, place.paths));
        const standing = standingOf(issue, isNew, waiver, rules);
        return {
            ...issue,
            standing,
            isNew,
            waiver,
            failsGate: standing === 'active' && reaches(issue.severity, rules.failOnSeverity),
        };
    })
        .toSorted((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
}
function acceptanceOf(waiver) {
    return waiver && { owner: waiver.owner, reason: waiver.reason, expires: waiver.expires };
}
/** A status that we do not know is active: a gate fails closed. */
function standingOf(issue, isNew, waiver, rules) {
    if (rules.ignoreStatuses.includes(issue.status.toUpperCase()))
        return 'ignored';
    if (waiver)
        return 'waived';
    return rules.failOnIssues === 'new' && isNew === false ? 'known' : 'active';
}
function reaches(severity, threshold) {
    return threshold !== 'never' && SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(threshold);
}
/** An issue is new where it is new on any of the paths. */
function addedTo(baseline, issues, { sha256, paths }) {
    return paths.reduce((added, path) => added.union(compare(issues, baseline.issuesOf(path, sha256)).added), new Set());
}

;// CONCATENATED MODULE: ./lib/policy/verdict.js
/** `fail` beats `error` beats `pass`: what could be read is judged, whatever else went wrong. */
function decide(facts) {
    if (facts.failing > 0)
        return { name: 'fail', reason: 'issues', green: false };
    const [first] = facts.causes;
    if (first) {
        const own = facts.causes.find((cause) => !isServiceFault(cause));
        const isForgiven = facts.onServiceError === 'warn' && !own && !facts.wasStopped;
        return { name: 'error', reason: (own ?? first).reason, green: isForgiven };
    }
    if (facts.skipped)
        return { name: 'skipped', reason: facts.skipped.reason, green: true };
    return { name: 'pass', reason: '', green: true };
}
/** The only causes that nobody who opens a pull request can bring about. */
function isServiceFault({ reason }) {
    return reason === 'service' || reason === 'timeout';
}

;// CONCATENATED MODULE: ./lib/report/words.js
/** The words in which every report speaks, so that one thing has one name everywhere. */
/** A whole number, "2,000". By hand: the language data behind `toLocaleString` would take 13 ms of every start. */
function count(number) {
    return String(number).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
/** "1 file", "2,000 files". */
function plural(number, noun) {
    return `${count(number)} ${noun}${number === 1 ? '' : 's'}`;
}
const words_UNITS = ['kB', 'MB', 'GB', 'TB'];
function size(bytes) {
    let value = bytes;
    let unit = 'B';
    for (const next of words_UNITS) {
        if (value < 1_000)
            break;
        value /= 1_000;
        unit = next;
    }
    return `${unit === 'B' || value >= 100 ? Math.round(value) : value.toFixed(1)} ${unit}`;
}
/** The date of an ISO time; anything else as it is told. */
function day(time) {
    return /^\d{4}-\d\d-\d\dT/.test(time) ? time.slice(0, 10) : time;
}
const VERDICTS = {
    pass: 'PASS',
    fail: 'FAIL',
    error: 'ERROR',
    skipped: 'NOT CHECKED',
};
/** The verdict and why, in one sentence that can be read alone: never a bare "green" where nothing was looked at. */
function title(report) {
    const name = VERDICTS[report.verdict];
    const told = report.headline.toUpperCase().startsWith(name);
    const sentence = told ? report.headline : `${name}: ${report.headline}`;
    const isTold = /nothing was analysed/i.test(sentence);
    return report.mode === 'sandbox' && !isTold ? `${sentence} (sandbox: nothing was analysed)` : sentence;
}
const MARKS = { pass: '✅', fail: '❌', error: '🛑', skipped: '⏭️' };
/** Shape and colour both differ, so that neither alone carries the meaning. */
function verdictMark(report) {
    return report.verdict === 'error' && report.green ? '⚠️' : MARKS[report.verdict];
}
const SEVERITY_MARKS = {
    CRITICAL: '🔴',
    MAJOR: '🟠',
    MINOR: '🟡',
    INFO: '🔵',
};
const SEVERITY_NAMES = {
    CRITICAL: 'Critical',
    MAJOR: 'Major',
    MINOR: 'Minor',
    INFO: 'Info',
};
const STANDING_WORDS = {
    active: 'active',
    known: 'known: the base branch has it too',
    ignored: 'closed in the service',
    waived: 'waived',
};
const SOURCES = {
    sent: 'sent',
    reused: 'reused',
    awaited: 'sent by an earlier run',
    'not-sent': 'not sent',
};
/** "sent: changed", "reused: unchanged since 2026-11-01". */
function provenance(asset) {
    const since = asset.source === 'reused' && asset.analysedAt ? ` since ${day(asset.analysedAt)}` : '';
    return `${SOURCES[asset.source]}${asset.sourceReason ? `: ${asset.sourceReason}${since}` : ''}`;
}
/** "image", or the type itself where we do not know its kind. */
function kind(asset) {
    return asset.category ?? asset.mime;
}
/** "3 sent, 340 reused": what the run cost, since only what is sent is paid for. */
function cost(report) {
    const awaited = report.assets.reduce((sum, asset) => sum + (asset.source === 'awaited' ? asset.paths.length : 0), 0);
    const { filesSubmitted, filesReused } = report.counts;
    const waited = awaited > 0 ? `, ${count(awaited)} sent by an earlier run` : '';
    return `${count(filesSubmitted)} sent, ${count(filesReused)} reused${waited}`;
}
/** What it means to somebody who only wants to know whether the files may go out. */
function consequence({ verdict, green, mode, counts }) {
    switch (verdict) {
        case 'fail':
            return 'The check is red. Where it is required, this change cannot be merged.';
        case 'error':
            return green
                ? 'The check is green only because an outage is forgiven here. Nothing says that these files are fine.'
                : 'The check is red: nobody can say that all of these files are fine.';
        case 'skipped':
            return 'The check is green, but these files have not been checked. Do not take it for a clearance.';
        case 'pass':
            if (mode === 'sandbox')
                return 'The check is green, but a sandbox analyses nothing. Do not take it for a clearance.';
            return counts.issues === 0
                ? 'The check is green. Nothing has to be done.'
                : 'The check is green. Nothing has to be done, but the issues below are worth a look.';
    }
}
/** "an active CRITICAL issue" is what turns the check red. */
function threshold(report) {
    const { failOnSeverity, failOnIssues } = report.policy;
    if (failOnSeverity === 'never')
        return 'This gate only reports: no issue turns the check red.';
    const which = failOnIssues === 'new' ? 'new issue' : 'issue';
    const above = failOnSeverity === 'CRITICAL' ? 'CRITICAL' : `${failOnSeverity} or worse`;
    return `This gate turns red on any ${which} that is ${above}.`;
}
/** The last line of the log: what was done, and what it cost. */
function receipt({ assets, counts, verdict }) {
    const analysed = assets.filter(({ outcome, source }) => outcome === 'judged' && source !== 'reused');
    const files = analysed.reduce((sum, { paths }) => sum + paths.length, 0);
    return `${count(files)} analysed, ${count(counts.filesReused)} reused, ${count(counts.paidAgain)} paid twice, verdict ${verdict}`;
}

;// CONCATENATED MODULE: ./lib/report/headline.js


/** Why the verdict is what it is, in one sentence. */
function headline(told) {
    switch (told.verdict) {
        case 'fail':
            return failing(told);
        case 'error':
            return troubled(told) + (told.green ? ' (green because of `on-service-error: warn`)' : '');
        case 'skipped':
            return told.causes[0]?.message ?? 'nothing was checked';
        case 'pass':
            return passed(told);
    }
}
function failing({ assets, counts }) {
    const failingIssues = assets.flatMap(({ issues }) => issues).filter(({ failsGate }) => failsGate);
    const bySeverity = SEVERITIES.map((severity) => ({
        severity,
        number: failingIssues.filter((issue) => issue.severity === severity).length,
    }))
        .filter(({ number }) => number > 0)
        .map(({ severity, number }) => `${count(number)} ${severity}`);
    const files = pathsOf(assets.filter(({ issues }) => issues.some(({ failsGate }) => failsGate)));
    const unjudged = pathsOf(assets.filter(({ outcome }) => outcome !== 'judged'));
    const also = unjudged > 0 ? `; ${plural(unjudged, 'file')} could not be judged at all` : '';
    return `${bySeverity.join(', ')} ${counts.failing === 1 ? 'issue' : 'issues'} in ${count(files)} of ${plural(counts.filesMatched, 'file')}${also}`;
}
function troubled({ causes }) {
    const [first] = causes;
    if (!first)
        return 'something could not be judged';
    if (causes.length === 1)
        return sentence(first);
    const files = new Set(causes.map(({ path }) => path));
    if (!files.has(undefined) && files.size > 1)
        return `${count(files.size)} files could not be judged`;
    return `${count(causes.length)} problems, the first: ${sentence(first)}`;
}
function sentence({ path, message }) {
    return path === undefined ? message : `${path}: ${message}`;
}
function passed({ counts, mode }) {
    const files = plural(counts.filesMatched, 'file');
    if (mode === 'sandbox')
        return `${files} went through the sandbox: nothing was analysed`;
    if (counts.issues === 0)
        return `${files} checked, no active issues`;
    return `${files} checked, ${plural(counts.issues, 'active issue')}, none that stops the check`;
}
/** Files, not contents: the same bytes in two paths are two files. */
function pathsOf(assets) {
    return assets.reduce((sum, { paths }) => sum + paths.length, 0);
}
const MOST_NAMED = 3;
/** "campaign/hero.mp4 and 2 more files" */
function failingFiles({ assets }) {
    const paths = assets
        .filter(({ issues }) => issues.some(({ failsGate }) => failsGate))
        .flatMap((asset) => asset.paths);
    const named = paths.slice(0, MOST_NAMED).map((path) => `\`${path}\``);
    const more = paths.length - named.length;
    return named.join(', ') + (more > 0 ? ` and ${plural(more, 'more file')}` : '');
}
/** What the reader can do about it, most useful first. */
function nextSteps(told) {
    const fixes = [...new Set(told.causes.map(({ fix }) => fix))];
    switch (told.verdict) {
        case 'fail':
            return [
                `Change or replace ${failingFiles(told)} and push.${told.keepsState ? ' Only changed files are sent and paid for again.' : ''}`,
                `Not a problem after all? Dismiss the issue in the service, then re-run this job${told.keepsState ? ': nothing is sent again, so it costs nothing' : ''}.`,
                ...fixes,
            ];
        case 'error':
            return told.causes.length > 1
                ? ['Each row of the table below says what to do. Then push, or re-run the job.']
                : fixes;
        case 'skipped':
            return fixes;
        case 'pass':
            return told.mode === 'sandbox' ? ['Use a live key (`sk_live_…`) where the check has to mean something.'] : [];
    }
}

;// CONCATENATED MODULE: ./lib/report/build.js







/** What a run is judged by where its inputs could not be read. */
const STRICT = {
    name: 'media-compliance',
    failOnSeverity: 'CRITICAL',
    failOnIssues: 'all',
    ignoreStatuses: [],
    onServiceError: 'error',
};
/** verdict → report: judges what the run found and puts it into the one object that every renderer takes. */
function buildReport(trail, context, now = new Date()) {
    const rules = trail.inputs ?? STRICT;
    const assets = reportedAssets(trail, now).toSorted(worseFirst);
    const counts = build_count(assets, trail);
    const causes = build_causesOf(trail, assets);
    const verdict = decide({
        ...trail,
        failing: counts.failing,
        causes,
        skipped: trail.skipped,
        onServiceError: rules.onServiceError,
    });
    const told = {
        verdict: verdict.name,
        reason: verdict.reason,
        green: verdict.green,
        mode: trail.inputs?.service?.mode ?? '',
        causes: trail.skipped ? [...causes, trail.skipped] : causes,
        counts,
        assets,
    };
    const sentences = { ...told, keepsState: trail.stateFile !== '' };
    const { failOnSeverity, failOnIssues, ignoreStatuses } = rules;
    const { repository, commit, ref, event, runUrl } = context;
    return {
        gate: rules.name,
        judgedAt: now.toISOString(),
        ...told,
        headline: headline(sentences),
        nextSteps: nextSteps(sentences),
        // Only now that every issue was judged is it known which waivers were of any use.
        notices: [...trail.notices, ...(trail.waivers?.notices(trail.analysed.length + trail.reused.length > 0) ?? [])],
        policy: { failOnSeverity, failOnIssues, ignoreStatuses },
        submission: submissionOf(trail),
        run: { repository, commit, ref, event, url: runUrl },
        highestSeverity: SEVERITIES.find((severity) => counts.bySeverity[severity] > 0) ?? '',
    };
}
function build_causesOf({ stoppedBy, waited, reused, analysed, skipped }, assets) {
    const interruptions = waited.map(({ interruptedBy }) => interruptedBy).filter((cause) => cause !== undefined);
    const causes = [...stoppedBy, ...interruptions, ...[...reused, ...analysed].flatMap((result) => result.causes)];
    if (causes.length > 0 || skipped)
        return causes;
    // A gate fails closed: what nobody has judged cannot pass, whatever the steps before have or have not said.
    return assets.filter(({ outcome }) => outcome !== 'judged').map(unexplained);
}
function unexplained({ paths }) {
    const [path] = paths;
    return {
        reason: 'results',
        message: 'The file was not judged, and nothing says why.',
        fix: 'Re-run the job; if it stays, please report it: this is a defect of the action.',
        ...(path !== undefined && { path }),
    };
}
/** The one that was created, else the one that was awaited. */
function submissionOf({ submission, waited, plan }) {
    const id = submission?.submissionId ?? plan?.await[0]?.submissionId ?? '';
    const status = waited.find((each) => each.submission.submissionId === id)?.status ?? '';
    const isAllReused = id === '' && (plan?.reuse.length ?? 0) > 0;
    return { id, status: isAllReused ? 'reused' : status };
}
function reportedAssets(trail, now) {
    const { inputs, plan, history } = trail;
    if (!inputs || !plan)
        return [];
    const results = new Map([...trail.reused, ...trail.analysed].map((result) => [result.content.sha256, result]));
    const rules = { ...inputs, baseline: history.baseline, waivers: trail.waivers };
    const asset = (content, source, sourceReason, analysedAt) => reportedAsset(content, results.get(content.sha256), { source, sourceReason, analysedAt }, rules, history.knowledge, inputs);
    const sent = trail.submission ? 'sent' : 'not-sent';
    return [
        ...plan.submit.map(({ content, why }) => asset(content, sent, why, trail.submission && now.toISOString())),
        ...plan.await.flatMap(({ contents, createdAt }) => contents.map((content) => asset(content, 'awaited', `sent ${createdAt.slice(0, 10)}`, now.toISOString()))),
        ...plan.reuse.map(({ content, known }) => asset(content, 'reused', 'unchanged', known.analysedAt)),
    ];
}
function reportedAsset(content, result, origin, rules, knowledge, { issueUrl: template }) {
    const issues = judge(result?.issues ?? [], content, rules);
    const type = content.file?.type ?? typeOfPointer(content);
    const ids = { assetId: result?.assetId ?? '', submissionId: result?.submissionId ?? '' };
    return {
        paths: content.paths,
        size: content.size,
        sha256: content.sha256,
        mime: type.mime,
        category: type.category,
        ...origin,
        analysedAt: result?.outcome === 'judged' ? origin.analysedAt : undefined,
        submissionId: result?.submissionId,
        assetId: result?.assetId,
        versionNumber: result?.versionNumber,
        versionCount: result?.versionCount,
        retries: result?.retries ?? 0,
        outcome: result?.outcome ?? 'unjudged',
        issues: issues.map((issue) => ({
            ...issue,
            url: template &&
                issueUrl(template, { ...ids, issueId: issue.id, referenceNumber: String(issue.referenceNumber ?? '') }),
        })),
        fixed: result?.outcome === 'judged' ? fixedSince(content, result.issues, knowledge) : undefined,
        topics: result?.topics ?? [],
    };
}
/** A content that only Git LFS pointers stand for: its name is all there is to go by. */
function typeOfPointer({ paths }) {
    const extension = extensionOf(paths[0] ?? '');
    const { mime, category } = typeOfExtension(extension) ?? { mime: 'application/octet-stream', category: undefined };
    return { mime, category, extension };
}
/** What the version before had and this one has not; undefined where there is no version before. */
function fixedSince({ paths, sha256 }, issues, knowledge) {
    const before = paths
        .map((path) => knowledge.path(path)?.sha256)
        .find((earlier) => earlier !== undefined && earlier !== sha256);
    const known = before === undefined ? undefined : knowledge.content(before);
    return known && compare(issues, known.issues).gone;
}
function build_count(assets, trail) {
    const bySeverity = { CRITICAL: 0, MAJOR: 0, MINOR: 0, INFO: 0 };
    const counts = { issues: 0, newIssues: 0, known: 0, waived: 0, ignored: 0, failing: 0 };
    for (const issue of assets.flatMap((asset) => asset.issues)) {
        if (issue.failsGate)
            counts.failing += 1;
        if (issue.standing !== 'active') {
            counts[issue.standing] += 1;
            continue;
        }
        counts.issues += 1;
        bySeverity[issue.severity] += 1;
        // Without anything to compare with, everything is new.
        if (issue.isNew !== false)
            counts.newIssues += 1;
    }
    return {
        ...counts,
        bySeverity,
        filesMatched: trail.discovery?.files.length ?? 0,
        filesSubmitted: pathsOf(assets.filter(({ source }) => source === 'sent')),
        filesReused: pathsOf(assets.filter(({ source }) => source === 'reused')),
        paidAgain: trail.submission
            ? (trail.plan?.submit.filter(({ why }) => why === 'analysed too long ago' || why === 'gone from the service')
                .length ?? 0)
            : 0,
        assetsFailed: assets.filter(({ outcome }) => outcome === 'failed').length,
    };
}
/** What fails the gate, then what could not be judged, then the worst active issue, then by path. */
function worseFirst(a, b) {
    return badness(a) - badness(b) || ((a.paths[0] ?? '') < (b.paths[0] ?? '') ? -1 : 1);
}
function badness({ issues, outcome }) {
    if (issues.some(({ failsGate }) => failsGate))
        return 0;
    if (outcome !== 'judged')
        return 1;
    const worst = issues.find(({ standing }) => standing === 'active');
    return 2 + (worst ? SEVERITIES.indexOf(worst.severity) : SEVERITIES.length);
}

// EXTERNAL MODULE: ./lib/escape.js
var lib_escape = __nccwpck_require__(90800);
;// CONCATENATED MODULE: ./lib/report/clip.js
/** Cuts a text to at most `most` UTF-16 units, on a whole character, with an ellipsis where something is gone. */
function clip(text, most) {
    if (text.length <= most)
        return text;
    const end = Math.max(0, most - 1);
    const last = text.charCodeAt(end - 1);
    const isHighSurrogate = last >= 0xd800 && last <= 0xdbff;
    return `${text.slice(0, isHighSurrogate ? end - 1 : end)}…`;
}

;// CONCATENATED MODULE: ./lib/report/order.js

const STANDINGS = ['active', 'known', 'waived', 'ignored'];
const RANKS = 2 * STANDINGS.length * SEVERITIES.length;
function order_rank(issue) {
    const place = STANDINGS.indexOf(issue.standing) * SEVERITIES.length + SEVERITIES.indexOf(issue.severity);
    return issue.failsGate ? place : place + RANKS / 2;
}
/**
 * All issues of all assets in the order in which a reader needs them: what fails the gate, then what counts, then what
 * does not; worst first in each. Buckets instead of a sort, since there may be very many.
 */
function worstFirst(report) {
    const buckets = Array.from({ length: RANKS }, () => []);
    for (const asset of report.assets) {
        const topics = topicsByIssue(asset);
        for (const issue of asset.issues) {
            buckets[order_rank(issue)]?.push({ asset, issue, topics: topics.get(issue.id) ?? [] });
        }
    }
    return buckets.flat();
}
function topicsByIssue(asset) {
    const titles = new Map();
    for (const { title, issueIds } of asset.topics) {
        for (const id of issueIds) {
            const known = titles.get(id);
            if (known)
                known.push(title);
            else
                titles.set(id, [title]);
        }
    }
    return titles;
}

;// CONCATENATED MODULE: ./lib/report/annotations.js




/** GitHub shows so many of each level per step; the rest vanish without a word. */
const MOST_PER_LEVEL = 10;
/** The runner cuts longer ones. */
const LONGEST_MESSAGE = 4_096;
const LONGEST_TITLE = 200;
const LEVELS = ['error', 'warning', 'notice'];
/**
 * Causes first, then issues, worst first. `spent` is how many of each level this step has printed or will print
 * otherwise, apart from the line that fails a red step, which is counted here.
 */
function annotations(report, spent = { error: 0, warning: 0, notice: 0 }) {
    const wanted = { error: [], warning: [], notice: [] };
    for (const cause of report.causes)
        wanted[report.green ? 'warning' : 'error'].push({ cause });
    for (const finding of worstFirst(report)) {
        const level = levelOf(finding);
        if (level)
            wanted[level].push({ finding });
    }
    return LEVELS.flatMap((level) => {
        const failingLine = level === 'error' && !report.green ? 1 : 0;
        const room = Math.max(0, MOST_PER_LEVEL - failingLine - spent[level]);
        return fit(report, level, wanted[level], room);
    });
}
function levelOf({ issue }) {
    if (issue.standing !== 'active')
        return undefined;
    if (issue.failsGate)
        return 'error';
    return issue.severity === 'INFO' ? 'notice' : 'warning';
}
function fit(report, level, planned, room) {
    const render = (one) => 'cause' in one ? causeAnnotation(level, one.cause) : issueAnnotation(level, one.finding);
    if (room === 0 || planned.length <= room)
        return planned.slice(0, room).map(render);
    const left = planned.length - (room - 1);
    const where = report.fullReport ?? 'the report files of this run';
    return [
        ...planned.slice(0, room - 1).map(render),
        {
            level,
            title: `${count(left)} more`,
            message: message([
                `${plural(left, 'more finding')} of this level ${left === 1 ? 'is' : 'are'} not shown here: GitHub shows at most ${MOST_PER_LEVEL} for a step.`,
                `All of them are in the summary of this run and in the full report: ${where}.`,
            ]),
        },
    ];
}
function causeAnnotation(level, cause) {
    return {
        level,
        title: `Not judged: ${cause.reason}`,
        message: message([cause.message, cause.fix]),
        ...(cause.path === undefined ? {} : { path: cause.path, line: 1 }),
    };
}
function issueAnnotation(level, { asset, issue }) {
    const [path, ...others] = asset.paths;
    const reference = issue.referenceNumber === undefined ? '' : `#${issue.referenceNumber}: `;
    return {
        level,
        title: clip((0,lib_escape/* visibleLines */.gB)(`${issue.severity} ${clip(issue.ruleCode, LONGEST_TITLE)}`), LONGEST_TITLE),
        message: message([
            `${reference}${clip(issue.summary, LONGEST_MESSAGE)}`,
            issue.headline ?? '',
            others.length > 0 ? `The same content is also in: ${clip(others.slice(0, 50).join(', '), 1_000)}` : '',
            issue.url ?? '',
            issue.reasoning ?? '',
        ]),
        ...(path === undefined ? {} : { path, line: 1 }),
    };
}
function message(parts) {
    const text = parts.filter((part) => part !== '').map((part) => clip(part, LONGEST_MESSAGE));
    return clip((0,lib_escape/* visibleLines */.gB)(text.join('\n')), LONGEST_MESSAGE);
}

;// CONCATENATED MODULE: ./lib/report/cleared.js

/** What was really analysed, whose result was read in full, and in which nothing fails the gate. */
function isCleared(report, asset) {
    if (report.mode !== 'live' || report.verdict === 'skipped')
        return false;
    return asset.outcome === 'judged' && !asset.issues.some((issue) => issue.failsGate);
}
function clearedFiles(report) {
    return report.assets
        .filter((asset) => isCleared(report, asset))
        .flatMap((asset) => asset.paths.map((path) => ({ path, asset })))
        .toSorted((one, other) => (one.path < other.path ? -1 : 1));
}
/** cleared.sha256: `sha256sum --check` reads it. */
function renderCleared(report) {
    return clearedFiles(report)
        .map(({ path, asset }) => checksumLine(asset.sha256, path))
        .join('');
}
const CHECKSUM_ESCAPES = { '\\': '\\\\', '\n': '\\n', '\r': '\\r' };
/** A name that would break the line is escaped, and a backslash before the hash says so. */
function checksumLine(sha256, path) {
    const name = path.replace(/[\\\n\r]/g, (character) => CHECKSUM_ESCAPES[character] ?? character);
    return `${name === path ? '' : '\\'}${sha256}  ${name}\n`;
}
/**
 * predicate.json: what is said about the cleared files, to be signed as an in-toto attestation whose subjects are those
 * of cleared.sha256.
 */
function renderPredicate(report) {
    const files = clearedFiles(report);
    return `${JSON.stringify({
        schemaVersion: 1,
        verifier: { name: 'Media Compliance Gate', gate: report.gate },
        timeVerified: report.judgedAt ?? null,
        verdict: report.verdict,
        reason: report.reason,
        mode: report.mode,
        policy: report.policy,
        source: {
            repository: report.run.repository,
            commit: report.run.commit,
            ref: report.run.ref,
            run: report.run.url,
        },
        counts: { filesMatched: report.counts.filesMatched, filesCleared: files.length },
        cleared: files.map(({ path, asset }) => ({
            name: path,
            digest: { sha256: asset.sha256 },
            analysedAt: asset.analysedAt ?? null,
            submissionId: asset.submissionId ?? null,
            assetId: asset.assetId ?? null,
            versionNumber: asset.versionNumber ?? null,
            activeIssues: Object.fromEntries(SEVERITIES.map((severity) => [
                severity,
                asset.issues.filter((issue) => issue.standing === 'active' && issue.severity === severity).length,
            ])),
            waivers: asset.issues.flatMap(({ waiver, ruleCode }) => (waiver ? [{ ruleCode, ...waiver }] : [])),
        })),
    }, undefined, 1)}\n`;
}

;// CONCATENATED MODULE: ./lib/report/html-media.js
/** What every current browser shows by itself. A document would need a plugin or a frame, which the page forbids. */
const SHOWABLE = new Set([
    'image/png',
    'image/jpeg',
    'image/gif',
    'image/webp',
    'image/avif',
    'image/bmp',
    'image/svg+xml',
    'video/mp4',
    'video/webm',
    'video/ogg',
    'audio/mpeg',
    'audio/mp4',
    'audio/wav',
    'audio/x-wav',
    'audio/vnd.wave',
    'audio/ogg',
    'audio/flac',
    'audio/aac',
    'audio/webm',
]);
/** A page much larger than this opens slowly. */
const BUDGET = { each: 16_000_000, total: 48_000_000 };
/** The files whose bytes go into report.html: those with findings, worst first, as long as they fit. */
function mediaToEmbed(assets, budget = BUDGET) {
    const chosen = [];
    let left = budget.total;
    for (const asset of assets) {
        const [path] = asset.paths;
        const hasFindings = asset.issues.length > 0 || (asset.fixed ?? []).length > 0;
        if (path === undefined || !hasFindings || !SHOWABLE.has(asset.mime))
            continue;
        if (asset.size > budget.each || asset.size > left)
            continue;
        left -= asset.size;
        chosen.push(path);
    }
    return chosen;
}
/** An address that holds the bytes; undefined where they are not what they are said to be. */
function dataUrl({ mime, base64 }) {
    return SHOWABLE.has(mime) && /^[A-Za-z0-9+/]*={0,2}$/.test(base64) ? `data:${mime};base64,${base64}` : undefined;
}

;// CONCATENATED MODULE: ./lib/report/html-files.js




const LONGEST_TEXT = 20_000;
const MOST_PRECEDENTS = 50;
const MOST_PATHS = 50;
const html_files_text = (value, most = LONGEST_TEXT) => (0,lib_escape/* html */.qy)(clip(value, most));
function html_files_anchor(url, inner) {
    const href = url === undefined ? undefined : (0,lib_escape/* safeHref */.v7)(url);
    return href === undefined ? inner : `<a href="${(0,lib_escape/* html */.qy)(href)}" rel="noreferrer">${inner}</a>`;
}
/** One content: its media, what was found in it now, and what was fixed since the version before. */
function fileSection(file, index) {
    const { asset, issues } = file;
    const figure = mediaFigure(asset, file.media);
    const hidden = asset.issues.length - issues.length;
    const now = [
        `<h3>${asset.fixed === undefined ? 'Found' : 'Found in this version'}</h3>`,
        ...issues.map((issue) => issueBlock(issue, file.topics.get(issue.id) ?? [])),
        issues.length === 0 && hidden === 0 ? `<p class="soft">${nothingFound(asset)}</p>` : '',
        hidden > 0 ? `<p class="soft">${plural(hidden, 'less severe issue')} only in report.json</p>` : '',
    ];
    const before = asset.fixed === undefined ? '' : fixedColumn(asset.fixed);
    const [first = '', ...others] = asset.paths.slice(0, MOST_PATHS);
    const more = asset.paths.length - MOST_PATHS;
    const same = others.length > 0
        ? `<p class="soft">Same bytes in ${others.map((path) => `<code>${html_files_text(path, 500)}</code>`).join(', ')}${more > 0 ? ` and ${count(more)} more` : ''}</p>`
        : '';
    return `<section class="card file" aria-labelledby="file-${index}" data-file="${(0,lib_escape/* html */.qy)(clip(asset.paths.join('\n'), 5_000).toLowerCase())}">
<div class="head"><h2 id="file-${index}"><code>${html_files_text(first, 500)}</code></h2>${mark(asset)}<span class="soft">${html_files_text(facts(asset), 500)}</span></div>${same}
<div class="beside${figure === '' ? '' : ' media'}">${figure}<div class="versions${before === '' ? '' : ' both'}"><div class="column">${now.join('')}</div>${before}</div></div>
</section>`;
}
function nothingFound(asset) {
    if (asset.outcome === 'failed')
        return 'The analysis failed: nothing is known about this file.';
    return asset.outcome === 'judged' ? 'No issue.' : 'Not judged: nothing is known about this file.';
}
function mark(asset) {
    const stopping = asset.issues.filter((issue) => issue.failsGate).length;
    if (stopping > 0)
        return `<span class="tag stop">${plural(stopping, 'issue')} stop${stopping === 1 ? 's' : ''} the check</span>`;
    return asset.outcome === 'judged' ? '' : '<span class="tag stop">not judged</span>';
}
function facts(asset) {
    const version = asset.versionNumber === undefined
        ? ''
        : `, version ${asset.versionNumber}${asset.versionCount === undefined ? '' : ` of ${asset.versionCount}`}`;
    const retries = asset.retries > 0 ? `, tried again ${plural(asset.retries, 'time')}` : '';
    return `${kind(asset)}, ${size(asset.size)}${version}; ${provenance(asset)}${retries}`;
}
function mediaFigure(asset, media) {
    const url = media === undefined ? undefined : dataUrl(media);
    if (url === undefined || media === undefined)
        return '';
    const name = html_files_text(asset.paths[0] ?? '', 300);
    const caption = `<figcaption>${html_files_text(media.mime, 60)}, as it was checked</figcaption>`;
    if (media.mime.startsWith('image/'))
        return `<figure><img src="${url}" alt="The checked image ${name}">${caption}</figure>`;
    const tag = media.mime.startsWith('video/') ? 'video' : 'audio';
    return `<figure><${tag} controls preload="metadata" aria-label="The checked ${tag} ${name}" src="${url}"></${tag}>${caption}</figure>`;
}
function badge(issue) {
    return `<span class="badge ${issue.severity}">${issue.severity}</span>`;
}
function issueLine(issue, url) {
    const number = issue.referenceNumber === undefined ? '' : html_files_anchor(url, `#${issue.referenceNumber}`);
    const told = issue.severity === issue.severityAsTold ? '' : `<span class="tag">told as ${html_files_text(issue.severityAsTold, 40)}</span>`;
    return `${badge(issue)}${told}<h4>${html_files_text(issue.headline || issue.summary, 300)}</h4>${number}<code>${html_files_text(issue.ruleCode, 200)}</code>`;
}
const NOVELTY = { true: 'new', false: 'known' };
function issueBlock(issue, topics) {
    const age = issue.isNew === undefined ? '' : NOVELTY[`${issue.isNew}`];
    const { waiver } = issue;
    const tags = [
        issue.failsGate
            ? '<span class="tag stop">stops the check</span>'
            : `<span class="tag">${STANDING_WORDS[issue.standing]}</span>`,
        `<span class="tag">${html_files_text(issue.status, 80)}</span>`,
        age === '' ? '' : `<span class="tag">${age}</span>`,
    ];
    const extra = [
        waiver
            ? `<p class="soft">Waived by ${html_files_text(waiver.owner, 100)} until ${html_files_text(waiver.expires, 40)}: ${html_files_text(waiver.reason, 1_000)}</p>`
            : '',
        topics.length > 0
            ? `<p class="soft">Topic: ${topics
                .slice(0, 5)
                .map((title) => html_files_text(title, 200))
                .join('; ')}</p>`
            : '',
        why(issue),
    ];
    return `<article class="issue" data-issue data-severity="${issue.severity}" data-status="${html_files_text(issue.status, 80)}" data-standing="${issue.standing}" data-age="${age}">
<div class="line">${issueLine(issue, issue.url)}${tags.join('')}</div><p class="text">${html_files_text(issue.summary)}</p>${extra.join('')}</article>`;
}
function why(issue) {
    const precedents = issue.precedents
        .slice(0, MOST_PRECEDENTS)
        .map((one) => `<li>${html_files_anchor(one.url, html_files_text(one.title || one.url || 'untitled', 300))}: ${html_files_text(one.decision, 1_000)}${one.date ? ` (${html_files_text(day(one.date), 40)})` : ''}</li>`);
    if (!issue.reasoning && precedents.length === 0)
        return '';
    const reasoning = issue.reasoning ? `<p class="text">${html_files_text(issue.reasoning)}</p>` : '';
    const list = precedents.length > 0 ? `<p>Precedents</p><ul>${precedents.join('')}</ul>` : '';
    return `<details${issue.failsGate ? ' open' : ''}><summary>Why ${issue.severity}</summary><div>${reasoning}${list}</div></details>`;
}
function fixedColumn(fixed) {
    const items = fixed
        .slice(0, 500)
        .map((issue) => `<article class="issue" data-issue data-severity="${issue.severity}" data-status="" data-standing="" data-age="fixed"><div class="line">${issueLine(issue, undefined)}<span class="tag fixed">fixed</span></div></article>`);
    const nothing = items.length === 0 ? '<p class="soft">Nothing was fixed.</p>' : '';
    return `<div class="column"><h3>In the version before, fixed since</h3>${items.join('')}${nothing}</div>`;
}

;// CONCATENATED MODULE: ./lib/report/html-script.js
/**
 * The filters of report.html. The page can be read without: everything is in it and visible. Texts of the report reach
 * the script only as values of data attributes and are only ever compared.
 */
const SCRIPT = `
'use strict';
const form = document.getElementById('filters');
const told = document.getElementById('told');
const issues = [...document.querySelectorAll('[data-issue]')].map((element) => ({ element, file: element.closest('[data-file]'), is: element.dataset }));
const files = [...document.querySelectorAll('[data-file]')];
function apply() {
  const wanted = new FormData(form);
  const severities = new Set(wanted.getAll('severity'));
  const status = wanted.get('status');
  const standing = wanted.get('standing');
  const age = wanted.get('age');
  const name = String(wanted.get('file')).trim().toLowerCase();
  const everything = severities.size === 4 && !status && !standing && !age;
  const open = new Set();
  let shown = 0;
  let total = 0;
  for (const { element, file, is } of issues) {
    const matches = severities.has(is.severity) && (!status || is.status === status) && (!standing || is.standing === standing) &&
      (!age || is.age === age) && (!name || file.dataset.file.includes(name));
    element.hidden = !matches;
    if (is.age !== 'fixed') { total += 1; if (matches) shown += 1; }
    if (matches) open.add(file);
  }
  for (const file of files) file.hidden = !(open.has(file) || (everything && (!name || file.dataset.file.includes(name))));
  told.textContent = shown + ' of ' + total + ' issues shown';
}
form.addEventListener('input', apply);
form.addEventListener('submit', (event) => event.preventDefault());
form.querySelector('button')?.addEventListener('click', () => { form.reset(); apply(); });
form.closest('section').hidden = false;
apply();
let closed = [];
addEventListener('beforeprint', () => { closed = [...document.querySelectorAll('details:not([open])')]; for (const one of closed) one.open = true; });
addEventListener('afterprint', () => { for (const one of closed) one.open = false; });
`;

;// CONCATENATED MODULE: ./lib/report/html-style.js
/** The look of report.html: light and dark, and on paper. Every text colour has a contrast of at least 4.5 to 1. */
const STYLE = `
:root { color-scheme: light dark; --page: #f6f7f9; --card: #fff; --ink: #1c2330; --soft: #545d6b; --line: #d5dae1; --link: #0a58b8;
  --critical: #b3131f; --major: #9a4400; --minor: #6d5600; --info: #1257a8; --good: #14693a; --bad: #b3131f; --none: #545d6b;
  --critical-fill: #d1242f; --major-fill: #e0701a; --minor-fill: #d9ad18; --info-fill: #3b82d6; }
@media (prefers-color-scheme: dark) { :root { --page: #0f1319; --card: #181d25; --ink: #e8ebf0; --soft: #a5afbd; --line: #343c48; --link: #7db4ff;
  --critical: #ff8a8f; --major: #ffab66; --minor: #ecc94b; --info: #86b9ff; --good: #6cd694; --bad: #ff8a8f; --none: #a5afbd; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif; overflow-wrap: anywhere; }
a { color: var(--link); } code { font: .875em ui-monospace, "SF Mono", Consolas, "Liberation Mono", monospace; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
h1, h2, h3, h4, p, ul, ol, dl, dd, figure { margin: 0; } ul, ol { padding-left: 1.4em; }
h1 { font-size: 1.7rem; line-height: 1.25; } h2 { font-size: 1.15rem; } h2 code { font-size: 1.05rem; } h3 { font-size: 1rem; } h4 { font-size: 1rem; font-weight: 600; }
.skip { position: absolute; left: -999px; } .skip:focus { left: 1rem; top: 1rem; background: var(--card); padding: .5rem 1rem; z-index: 2; }
header, main, footer { max-width: 1180px; margin: 0 auto; padding: 1.25rem; } main { padding-top: 0; display: grid; gap: 1.25rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1.25rem; display: grid; gap: .75rem; align-content: start; min-width: 0; }
.verdict { border-left: 10px solid var(--none); } .verdict.good { border-left-color: var(--good); } .verdict.bad { border-left-color: var(--bad); } .verdict.warn { border-left-color: var(--major); }
.stamp { font-weight: 700; letter-spacing: .06em; font-size: .95rem; color: var(--none); } .good .stamp { color: var(--good); } .bad .stamp { color: var(--bad); } .warn .stamp { color: var(--major); }
.facts { display: flex; flex-wrap: wrap; gap: .4rem 2rem; } .facts div { display: flex; flex-direction: column; } .facts dt { color: var(--soft); font-size: .875rem; } .facts dd { font-weight: 600; }
.two { display: grid; gap: 1.25rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 420px), 1fr)); }
.bars { display: grid; grid-template-columns: max-content 1fr max-content; gap: .4rem .75rem; align-items: center; } .bars svg { width: 100%; height: 14px; display: block; }
.fill-CRITICAL { fill: var(--critical-fill); } .fill-MAJOR { fill: var(--major-fill); } .fill-MINOR { fill: var(--minor-fill); } .fill-INFO { fill: var(--info-fill); }
.badge { font-weight: 700; font-size: .8rem; border: 1.5px solid currentColor; border-radius: 5px; padding: 0 .4em; white-space: nowrap; }
.CRITICAL { color: var(--critical); } .MAJOR { color: var(--major); } .MINOR { color: var(--minor); } .INFO { color: var(--info); }
.tag { font-size: .8rem; border-radius: 5px; padding: .05em .45em; border: 1px solid var(--line); color: var(--soft); white-space: nowrap; } .tag.stop { color: var(--bad); border-color: currentColor; } .tag.fixed { color: var(--good); border-color: currentColor; }
form { display: flex; flex-wrap: wrap; gap: .75rem 1.5rem; align-items: end; } fieldset { border: 0; padding: 0; margin: 0; display: flex; flex-wrap: wrap; gap: .25rem 1rem; min-width: 0; } legend, .field { color: var(--soft); font-size: .875rem; }
.field { display: grid; gap: .15rem; } label.check { display: inline-flex; gap: .35rem; align-items: center; min-height: 28px; }
input[type=search], select, button { font: inherit; color: var(--ink); background: var(--page); border: 1px solid var(--soft); border-radius: 6px; padding: .25rem .5rem; min-height: 34px; max-width: 100%; }
.many > .file { content-visibility: auto; contain-intrinsic-size: auto 500px; } .file > .head { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: baseline; } .soft { color: var(--soft); font-size: .9rem; }
.beside { display: grid; gap: 1.25rem; grid-template-columns: minmax(0, 1fr); } @media (min-width: 860px) { .beside.media { grid-template-columns: minmax(0, 320px) minmax(0, 1fr); } .versions.both { grid-template-columns: minmax(0, 2fr) minmax(0, 1fr); } }
.versions { display: grid; gap: 1.25rem; align-content: start; } .column { display: grid; gap: .75rem; align-content: start; }
figure img, figure video { max-width: 100%; max-height: 420px; border-radius: 6px; border: 1px solid var(--line); background: var(--page); display: block; } figure audio { width: 100%; } figcaption { color: var(--soft); font-size: .85rem; }
.issue { border-top: 1px solid var(--line); padding-top: .75rem; display: grid; gap: .4rem; } .line { display: flex; flex-wrap: wrap; gap: .3rem .5rem; align-items: center; }
.text { white-space: pre-line; max-width: 75ch; } details > summary { cursor: pointer; color: var(--link); width: fit-content; min-height: 24px; } details[open] > :not(summary) { margin-top: .4rem; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; } th, td { text-align: left; padding: .35rem .6rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: top; } .scroll { overflow-x: auto; }
[hidden] { display: none !important; }
@media print { :root { color-scheme: light; --page: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #bbb; --link: #000; --critical: #b3131f; --major: #9a4400; --minor: #6d5600; --info: #1257a8; --good: #14693a; --bad: #b3131f; }
  .filters, .skip, figure audio { display: none; } .card { border: 0; padding: .5rem 0; } .many > .file { content-visibility: visible; } .issue { break-inside: avoid; } .fill-CRITICAL, .fill-MAJOR, .fill-MINOR, .fill-INFO { print-color-adjust: exact; } }
`;

;// CONCATENATED MODULE: ./lib/report/summary-issues.js



/** Longer texts are read in the full report; cut before escaping, so that a huge one costs nothing. */
const LONGEST_LINE = 200;
const summary_issues_LONGEST_TEXT = 4_000;
const summary_issues_MOST_PRECEDENTS = 10;
const summary_issues_MOST_PATHS = 5;
function summary_issues_link(url, text) {
    const href = url === undefined ? undefined : (0,lib_escape/* safeHref */.v7)(url);
    return href === undefined ? text : `<a href="${(0,lib_escape/* html */.qy)(href)}">${text}</a>`;
}
function pathCode(path) {
    return `<code>${(0,lib_escape/* markdown */.wD)(clip(path, LONGEST_LINE))}</code>`;
}
/** The first path, and how many more have the same bytes. */
function pathsShort(asset) {
    const [first = '', ...others] = asset.paths;
    return pathCode(first) + (others.length > 0 ? ` and ${count(others.length)} more` : '');
}
/** Severity, rule, number and headline on one line: enough to know an issue by. */
function summary_issues_issueLine({ asset, issue }) {
    return `${issueName(issue, issue.url)} in ${pathsShort(asset)}`;
}
function issueName(issue, url) {
    const told = issue.severity === issue.severityAsTold ? '' : ` (told as ${(0,lib_escape/* markdown */.wD)(clip(issue.severityAsTold, 40))})`;
    const number = issue.referenceNumber === undefined ? '' : ` ${summary_issues_link(url, `#&#8203;${issue.referenceNumber}`)}`;
    const rule = `<code>${(0,lib_escape/* markdown */.wD)(clip(issue.ruleCode, 80))}</code>`;
    const words = (0,lib_escape/* markdown */.wD)(clip(issue.headline || issue.summary, LONGEST_LINE));
    return `${SEVERITY_MARKS[issue.severity]} <b>${issue.severity}</b>${told} ${rule}${number} ${words}`;
}
/** The line, and everything else about the issue behind it. */
function issueDetails(finding, isOpen) {
    const { issue } = finding;
    const parts = [
        `<p>${(0,lib_escape/* markdownLines */.zQ)(clip(issue.summary, summary_issues_LONGEST_TEXT))}</p>`,
        issue.reasoning ? `<p><b>Why ${issue.severity}:</b> ${(0,lib_escape/* markdownLines */.zQ)(clip(issue.reasoning, summary_issues_LONGEST_TEXT))}</p>` : '',
        precedents(issue.precedents),
        `<p>${summary_issues_facts(finding).join('<br>')}</p>`,
    ];
    const body = parts.filter((part) => part !== '').join('');
    return `<details${isOpen ? ' open' : ''}><summary>${summary_issues_issueLine(finding)}</summary><blockquote>${body}</blockquote></details>`;
}
function summary_issues_facts({ asset, issue, topics }) {
    const shown = asset.paths.slice(0, summary_issues_MOST_PATHS).map(pathCode).join(', ');
    const hidden = asset.paths.length - summary_issues_MOST_PATHS;
    const novelty = issue.isNew === undefined ? '' : issue.isNew ? ', new' : ', known';
    const { waiver } = issue;
    return [
        `<b>${asset.paths.length === 1 ? 'File' : 'Files, all with the same bytes'}:</b> ${shown}${hidden > 0 ? ` and ${count(hidden)} more` : ''}`,
        `<b>Status:</b> ${(0,lib_escape/* markdown */.wD)(clip(issue.status, 80))}${novelty}; ${issue.failsGate ? 'stops the check' : STANDING_WORDS[issue.standing]}`,
        waiver
            ? `<b>Waiver:</b> ${(0,lib_escape/* markdown */.wD)(clip(waiver.reason, 500))} (${(0,lib_escape/* markdown */.wD)(clip(waiver.owner, 80))}, until ${(0,lib_escape/* markdown */.wD)(clip(waiver.expires, 40))})`
            : '',
        topics.length > 0
            ? `<b>Topic:</b> ${topics
                .slice(0, 3)
                .map((title) => (0,lib_escape/* markdown */.wD)(clip(title, 120)))
                .join('; ')}`
            : '',
        issue.createdAt ? `<b>Found:</b> ${(0,lib_escape/* markdown */.wD)(clip(day(issue.createdAt), 40))}` : '',
    ].filter((fact) => fact !== '');
}
function precedents(all) {
    if (all.length === 0)
        return '';
    const items = all.slice(0, summary_issues_MOST_PRECEDENTS).map((one) => {
        const name = summary_issues_link(one.url, (0,lib_escape/* markdown */.wD)(clip(one.title || one.url || 'untitled', LONGEST_LINE)));
        const decision = one.decision ? `: ${(0,lib_escape/* markdown */.wD)(clip(one.decision, 500))}` : '';
        return `<li>${name}${decision}${one.date ? ` (${(0,lib_escape/* markdown */.wD)(clip(day(one.date), 40))})` : ''}</li>`;
    });
    const hidden = all.length - items.length;
    if (hidden > 0)
        items.push(`<li>and ${count(hidden)} more</li>`);
    return `<p><b>Precedents</b></p><ul>${items.join('')}</ul>`;
}

;// CONCATENATED MODULE: ./lib/report/summary-files.js





const summary_files_MOST_PATHS = 4;
/** Nothing in it needs a reader's eye. */
function isClean(asset) {
    return asset.outcome === 'judged' && asset.issues.length === 0 && (asset.fixed ?? []).length === 0;
}
function fileMark(asset) {
    if (asset.issues.some((issue) => issue.failsGate))
        return '❌';
    if (asset.outcome !== 'judged')
        return '⚠️';
    return asset.issues.some((issue) => issue.standing === 'active') ? '☑️' : '✅';
}
function fileTable(assets) {
    const hasChanges = assets.some((asset) => summary_files_changes(asset) !== '');
    const names = ['File', 'Kind', 'Version', 'Issues', ...(hasChanges ? ['Since last time'] : []), 'Analysis'];
    return {
        head: [`| ${names.join(' | ')} |`, `|${' :-- |'.repeat(names.length)}`].join('\n'),
        row: (asset) => fileRow(asset, hasChanges),
    };
}
function fileRow(asset, hasChanges) {
    const hidden = asset.paths.length - summary_files_MOST_PATHS;
    const paths = asset.paths.slice(0, summary_files_MOST_PATHS).map(pathCode).join('<br>');
    const cells = [
        `${fileMark(asset)}&nbsp;${paths}${hidden > 0 ? `<br>and ${count(hidden)} more` : ''}`,
        `${(0,lib_escape/* markdown */.wD)(clip(kind(asset), 60))}, ${size(asset.size).replace(' ', '&nbsp;')}`,
        version(asset),
        issuesCell(asset),
        ...(hasChanges ? [summary_files_changes(asset) || '–'] : []),
        (0,lib_escape/* markdown */.wD)(clip(provenance(asset), 200)) +
            (asset.retries > 0 ? `, tried again ${plural(asset.retries, 'time')}` : ''),
    ];
    return `| ${cells.join(' | ')} |`;
}
function version({ versionNumber, versionCount }) {
    if (versionNumber === undefined)
        return '';
    return versionCount === undefined ? `${versionNumber}` : `${versionNumber} of ${versionCount}`;
}
function issuesCell(asset) {
    if (asset.outcome === 'failed')
        return 'analysis failed';
    const active = asset.issues.filter((issue) => issue.standing === 'active');
    const counts = SEVERITIES.map((severity) => ({
        severity,
        number: active.filter((issue) => issue.severity === severity).length,
    }));
    const told = counts
        .filter(({ number }) => number > 0)
        .map(({ severity, number }) => `${SEVERITY_MARKS[severity]}&nbsp;${count(number)}&nbsp;${severity}`);
    const lines = [...(asset.outcome === 'unjudged' ? ['not judged'] : []), ...told, ...apart(asset)];
    return lines.length > 0 ? lines.join('<br>') : 'none';
}
/** "1 waived", "2 closed": there, but not counted. */
function apart({ issues }) {
    const waived = issues.filter((issue) => issue.standing === 'waived').length;
    const closed = issues.filter((issue) => issue.standing === 'ignored').length;
    return [waived > 0 ? `${count(waived)} waived` : '', closed > 0 ? `${count(closed)} closed` : ''].filter((word) => word !== '');
}
function summary_files_changes(asset) {
    const fresh = asset.issues.filter((issue) => issue.isNew === true && issue.standing === 'active').length;
    const known = asset.issues.filter((issue) => issue.isNew === false).length;
    const told = [
        [fresh, 'new'],
        [known, 'known'],
        [asset.fixed?.length ?? 0, 'earlier one fixed'],
    ];
    return told
        .filter(([number]) => number > 0)
        .map(([number, word]) => `${count(number)} ${word}`)
        .join(', ');
}

;// CONCATENATED MODULE: ./lib/report/html.js










/** A page with more is too slow to be of use; report.json has them all. */
const MOST_ISSUES = 5_000;
const MOST_FILES = 20_000;
/** From here on the browser lays out only what is in view. */
const MANY_FILES = 100;
const html_text = (value, most = 2_000) => (0,lib_escape/* html */.qy)(clip(value, most));
const html_sentence = (value) => (0,lib_escape/* htmlProse */.n8)(clip(value, 2_000));
const hash = (source) => `'sha256-${(0,external_node_crypto_.createHash)('sha256').update(source).digest('base64')}'`;
/** report.html: one page that holds everything it shows, asks the network for nothing and runs no words of the report. */
function renderHtml(report, media = new Map()) {
    const all = worstFirst(report);
    const shown = shownFiles(report, all.slice(0, MOST_ISSUES), media);
    const clean = report.assets.filter(isClean);
    const policy = `default-src 'none'; style-src ${hash(STYLE)}; script-src ${hash(SCRIPT)}; img-src data:; media-src data:; base-uri 'none'; form-action 'none'`;
    return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">
<title>${html_text(title(report), 300)}</title><style>${STYLE}</style></head><body>
<a class="skip" href="#files">Skip to the files</a>
<header>${verdict(report)}</header>
<main>
<div class="two">${html_nextSteps(report)}${picture(report)}</div>
${causes(report)}
${filters(report, all)}
<div id="files" class="column${shown.length > MANY_FILES ? ' many' : ''}" tabindex="-1">
${shown.map(fileSection).join('\n')}
</div>
${cleanFiles(clean)}
${notices(report, all.length)}
</main>
<footer class="soft">${footer(report)}</footer>
<script>${SCRIPT}</script></body></html>
`;
}
function shownFiles(report, findings, media) {
    const issuesOf = new Map();
    const topicsOf = new Map();
    for (const { asset, issue, topics } of findings) {
        issuesOf.set(asset, issuesOf.get(asset) ?? []);
        issuesOf.get(asset)?.push(issue);
        topicsOf.set(asset, (topicsOf.get(asset) ?? new Map()).set(issue.id, topics));
    }
    return report.assets
        .filter((asset) => !isClean(asset))
        .slice(0, MOST_ISSUES)
        .map((asset) => ({
        asset,
        issues: issuesOf.get(asset) ?? [],
        topics: topicsOf.get(asset) ?? new Map(),
        media: asset.paths.map((path) => media.get(path)).find((one) => one !== undefined),
    }));
}
function tone(report) {
    if (report.verdict === 'skipped')
        return '';
    if (report.verdict === 'pass')
        return report.mode === 'sandbox' ? 'warn' : 'good';
    return report.green ? 'warn' : 'bad';
}
function verdict(report) {
    const { counts } = report;
    const told = [
        ['Check', report.green ? 'green' : 'red'],
        ['Files', count(counts.filesMatched)],
        ['Active issues', count(counts.issues)],
        ['Stop the check', count(counts.failing)],
        ['Known, waived, closed', `${count(counts.known)}, ${count(counts.waived)}, ${count(counts.ignored)}`],
        ['What it cost', cost(report)],
    ];
    const facts = told.map(([name, value]) => `<div><dt>${name}</dt><dd>${value}</dd></div>`).join('');
    return `<div class="card verdict ${tone(report)}"><p class="stamp">${html_text(report.gate, 100)}</p><h1>${html_sentence(title(report))}</h1><p><strong>${consequence(report)}</strong></p><p>${threshold(report)}</p><dl class="facts">${facts}</dl></div>`;
}
function html_nextSteps(report) {
    const steps = report.nextSteps.slice(0, 20).map((step) => `<li>${html_sentence(step)}</li>`);
    const list = steps.length > 0 ? `<ol>${steps.join('')}</ol>` : '<p>Nothing has to be done.</p>';
    return `<section class="card" aria-labelledby="next"><h2 id="next">What to do now</h2>${list}</section>`;
}
function picture({ counts }) {
    const most = Math.max(1, ...SEVERITIES.map((severity) => counts.bySeverity[severity]));
    const rows = SEVERITIES.map((severity) => {
        const number = counts.bySeverity[severity];
        const width = Math.round((number / most) * 1_000) / 10;
        return `<span class="${severity}">${SEVERITY_NAMES[severity]}</span><svg aria-hidden="true" preserveAspectRatio="none" viewBox="0 0 100 14"><rect class="fill-${severity}" width="${number > 0 ? Math.max(1, width) : 0}" height="14"/></svg><strong>${count(number)}</strong>`;
    });
    return `<section class="card" aria-labelledby="bars"><h2 id="bars">Active issues by severity</h2><div class="bars">${rows.join('')}</div></section>`;
}
function causes(report) {
    if (report.causes.length < 2)
        return '';
    const shown = report.causes.slice(0, 1_000);
    const rows = shown.map((cause) => `<tr><td><code>${html_text(cause.path ?? '', 500)}</code></td><td>${html_sentence(cause.message)}</td><td>${html_sentence(cause.fix)}</td></tr>`);
    const hidden = report.causes.length - shown.length;
    return `<section class="card" aria-labelledby="causes"><h2 id="causes">What could not be judged</h2><div class="scroll" tabindex="0" role="group" aria-label="Problems"><table><thead><tr><th scope="col">File</th><th scope="col">What happened</th><th scope="col">What to do</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>${hidden > 0 ? `<p>${plural(hidden, 'more problem')} in report.json</p>` : ''}</section>`;
}
function filters(report, findings) {
    if (findings.length === 0 && !report.assets.some((asset) => (asset.fixed ?? []).length > 0))
        return hiddenFilters();
    const statuses = [...new Set(findings.slice(0, MOST_ISSUES).map(({ issue }) => clip(issue.status, 80)))].slice(0, 50);
    const of = (severity) => findings.filter(({ issue }) => issue.severity === severity).length;
    const severities = SEVERITIES.map((severity) => `<label class="check"><input type="checkbox" name="severity" value="${severity}" checked><span class="${severity}">${SEVERITY_NAMES[severity]}</span> ${count(of(severity))}</label>`);
    return `<section class="card filters" aria-labelledby="filter" hidden><h2 id="filter">Filter the issues</h2><form id="filters">
<fieldset><legend>Severity</legend>${severities.join('')}</fieldset>
${html_select('Counted as', 'standing', [
        ['active', 'active'],
        ['known', 'known'],
        ['waived', 'waived'],
        ['ignored', 'closed in the service'],
    ])}
${html_select('Status', 'status', statuses.map((status) => [status, status]))}
${html_select('Since the base branch', 'age', [
        ['new', 'new'],
        ['known', 'known'],
        ['fixed', 'fixed'],
    ])}
<label class="field">File<input type="search" name="file" autocomplete="off"></label><button type="button">Show all</button></form>
<p id="told" role="status"></p></section>`;
}
/** The script finds its form on every page, so that it has no second path. */
function hiddenFilters() {
    return '<section class="filters"><form id="filters"></form><p id="told" hidden></p></section>';
}
function html_select(label, name, options) {
    const rest = options.map(([value, word]) => `<option value="${(0,lib_escape/* html */.qy)(value)}">${(0,lib_escape/* html */.qy)(word)}</option>`);
    return `<label class="field">${label}<select name="${name}"><option value="">all</option>${rest.join('')}</select></label>`;
}
function cleanFiles(clean) {
    if (clean.length === 0)
        return '';
    const rows = clean.slice(0, MOST_FILES).map((asset) => `<tr><td>${asset.paths
        .slice(0, 20)
        .map((path) => `<code>${html_text(path, 500)}</code>`)
        .join('<br>')}</td><td>${html_text(facts(asset), 500)}</td></tr>`);
    const hidden = clean.length - rows.length;
    return `<section class="card" aria-labelledby="clean"><h2 id="clean">${plural(clean.length, 'file')} without any finding</h2><details><summary>Show the list</summary><table><thead><tr><th scope="col">File</th><th scope="col">What it is, how it was checked</th></tr></thead><tbody>${rows.join('')}</tbody></table></details>${hidden > 0 ? `<p>${plural(hidden, 'more file')} in report.json</p>` : ''}</section>`;
}
function notices(report, issues) {
    const cut = issues - MOST_ISSUES;
    const told = [
        ...(cut > 0
            ? [`${plural(cut, 'issue')}, the least severe, are left out of this page; report.json has them all.`]
            : []),
        ...report.notices.slice(0, 200),
    ];
    if (told.length === 0)
        return '';
    return `<section class="card" aria-labelledby="notices"><h2 id="notices">Also good to know</h2><ul>${told.map((notice) => `<li>${html_sentence(notice)}</li>`).join('')}</ul></section>`;
}
function footer({ run, submission, judgedAt, mode }) {
    return [
        run.repository && `${html_text(run.repository, 200)} at ${html_text(run.ref, 200)} (${html_text(run.commit.slice(0, 7))})`,
        run.url && html_files_anchor(run.url, 'the run'),
        submission.id && `submission ${html_text(submission.id, 100)} ${html_text(submission.status, 40)}`,
        judgedAt && html_text(judgedAt, 40),
        mode === 'sandbox' ? 'sandbox: no credits' : 'only files that are sent cost credits',
    ]
        .filter((part) => part !== '' && part !== undefined)
        .join(' · ');
}

;// CONCATENATED MODULE: ./lib/report/json.js
/** Raised when a field is removed or changes its meaning; fields may be added without. */
const JSON_VERSION = 1;
/**
 * report.json, for programs. Its shape is `report.schema.json` beside this file: every field is always there, what is
 * not known is null. It is written out by hand so that a change of our own types never changes it unseen.
 */
function renderJson(report) {
    return `${JSON.stringify({
        schemaVersion: JSON_VERSION,
        gate: report.gate,
        judgedAt: report.judgedAt ?? null,
        verdict: report.verdict,
        reason: report.reason,
        green: report.green,
        mode: report.mode,
        headline: report.headline,
        nextSteps: report.nextSteps,
        causes: report.causes.map(({ reason, message, fix, path }) => ({ reason, message, fix, path: path ?? null })),
        notices: report.notices,
        policy: report.policy,
        submission: report.submission,
        run: report.run,
        counts: report.counts,
        highestSeverity: report.highestSeverity,
        assets: report.assets.map(asset),
    }, undefined, 1)}\n`;
}
function asset(one) {
    return {
        paths: one.paths,
        size: one.size,
        sha256: one.sha256,
        mime: one.mime,
        category: one.category ?? null,
        source: one.source,
        sourceReason: one.sourceReason,
        analysedAt: one.analysedAt ?? null,
        submissionId: one.submissionId ?? null,
        assetId: one.assetId ?? null,
        versionNumber: one.versionNumber ?? null,
        versionCount: one.versionCount ?? null,
        retries: one.retries,
        outcome: one.outcome,
        issues: one.issues.map(reportedIssue),
        fixed: one.fixed?.map(issue) ?? null,
        topics: one.topics.map(({ title, issueIds }) => ({ title, issueIds })),
    };
}
function reportedIssue(one) {
    return {
        ...issue(one),
        standing: one.standing,
        isNew: one.isNew ?? null,
        failsGate: one.failsGate,
        url: one.url ?? null,
        waiver: one.waiver ?? null,
    };
}
function issue(one) {
    return {
        id: one.id,
        referenceNumber: one.referenceNumber ?? null,
        ruleCode: one.ruleCode,
        severity: one.severity,
        severityAsTold: one.severityAsTold,
        status: one.status,
        summary: one.summary,
        headline: one.headline ?? null,
        reasoning: one.reasoning ?? null,
        precedents: one.precedents.map(({ url, title, decision, date }) => ({ url, title, decision, date })),
        sidekickId: one.sidekickId ?? null,
        createdAt: one.createdAt ?? null,
        updatedAt: one.updatedAt ?? null,
    };
}

;// CONCATENATED MODULE: ./lib/report/junit.js



const junit_LONGEST_TEXT = 2_000;
const junit_MOST_ISSUES = 200;
/** junit.xml: a test case for each file, and one for each problem that belongs to no file. */
function renderJunit(report) {
    const causes = new Map(report.causes.flatMap((cause) => (cause.path === undefined ? [] : [[cause.path, cause]])));
    const cases = report.assets.flatMap((asset) => asset.paths.map((path) => fileCase(report, asset, path, causes.get(path))));
    const listed = new Set(report.assets.flatMap((asset) => asset.paths));
    for (const cause of report.causes) {
        if (cause.path !== undefined && listed.has(cause.path))
            continue;
        const name = cause.path ?? cause.reason;
        cases.push({ name, result: 'error', body: junit_element('error', cause.message, cause.fix, cause.reason) });
    }
    const total = (result) => cases.filter((one) => one.result === result).length;
    const counts = `tests="${cases.length}" failures="${total('failed')}" errors="${total('error')}" skipped="${total('skipped')}"`;
    const gate = (0,lib_escape/* xml */._n)(report.gate);
    return [
        '<?xml version="1.0" encoding="UTF-8"?>',
        `<testsuites name="${gate}" ${counts} time="0">`,
        `<testsuite name="${gate}" ${counts} time="0"${report.judgedAt ? ` timestamp="${(0,lib_escape/* xml */._n)(report.judgedAt)}"` : ''}>`,
        `<properties><property name="verdict" value="${report.verdict}"/><property name="headline" value="${(0,lib_escape/* xml */._n)(clip(title(report), junit_LONGEST_TEXT))}"/></properties>`,
        ...cases.map((one) => `<testcase classname="${gate}" name="${(0,lib_escape/* xml */._n)(one.name)}" time="0">${one.body}</testcase>`),
        '</testsuite>',
        '</testsuites>',
        '',
    ].join('\n');
}
function fileCase(report, asset, name, cause) {
    const failing = asset.issues.filter((issue) => issue.failsGate);
    const rest = asset.issues.filter((issue) => !issue.failsGate);
    const told = [provenance(asset), ...lines(rest)].join('\n');
    const output = `<system-out>${(0,lib_escape/* xml */._n)(told)}</system-out>`;
    const [worst] = failing;
    if (worst !== undefined) {
        const type = `${worst.severity} ${worst.ruleCode}`;
        const message = `${failing.length} issues stop the check`;
        return { name, result: 'failed', body: junit_element('failure', message, lines(failing).join('\n'), type) + output };
    }
    if (asset.outcome === 'judged')
        return { name, result: 'passed', body: output };
    if (report.verdict === 'skipped') {
        return { name, result: 'skipped', body: `<skipped message="${(0,lib_escape/* xml */._n)(clip(title(report), junit_LONGEST_TEXT))}"/>` };
    }
    const message = cause?.message ?? (asset.outcome === 'failed' ? 'The analysis failed.' : 'The file was not judged.');
    return {
        name,
        result: 'error',
        body: junit_element('error', message, cause?.fix ?? '', cause?.reason ?? asset.outcome) + output,
    };
}
function junit_element(name, message, text, type) {
    return `<${name} message="${(0,lib_escape/* xml */._n)(clip(message, junit_LONGEST_TEXT))}" type="${(0,lib_escape/* xml */._n)(clip(type, 200))}">${(0,lib_escape/* xml */._n)(text)}</${name}>`;
}
function lines(issues) {
    const told = issues.slice(0, junit_MOST_ISSUES).map((issue) => {
        const number = issue.referenceNumber === undefined ? '' : ` #${issue.referenceNumber}`;
        const words = clip(issue.headline || issue.summary, junit_LONGEST_TEXT);
        return `${issue.severity} ${clip(issue.ruleCode, 200)}${number} (${issue.standing}, ${clip(issue.status, 80)}): ${words}`;
    });
    return issues.length > junit_MOST_ISSUES ? [...told, `and ${issues.length - junit_MOST_ISSUES} more`] : told;
}

;// CONCATENATED MODULE: ./lib/report/sarif.js




/** Code scanning takes no more results from one run. */
const MOST_RESULTS = 25_000;
/** And no more places of one result. */
const MOST_LOCATIONS = 100;
const MOST_NOTIFICATIONS = 500;
const sarif_LONGEST_TEXT = 1_000;
const sarif_LEVELS = {
    CRITICAL: 'error',
    MAJOR: 'warning',
    MINOR: 'note',
    INFO: 'note',
};
/** report.sarif, version 2.1.0: worst first, and what does not fit is counted. */
function renderSarif(report, mostResults = MOST_RESULTS) {
    const findings = worstFirst(report);
    const shown = findings.slice(0, mostResults);
    const cut = findings.length - shown.length;
    const rules = new Map();
    for (const { issue } of shown) {
        const id = ruleId(issue);
        if (!rules.has(id))
            rules.set(id, { index: rules.size, text: plain(issue.headline || issue.summary || id) });
    }
    const fingerprint = fingerprints();
    return `${JSON.stringify({
        $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
        version: '2.1.0',
        runs: [
            {
                tool: {
                    driver: {
                        name: 'Media Compliance Gate',
                        rules: Array.from(rules, ([id, { text }]) => ({
                            id,
                            shortDescription: { text: id },
                            fullDescription: { text },
                        })),
                    },
                },
                // What is before the last slash is the category by which code scanning tells gates apart.
                automationDetails: { id: `${clip(report.gate.toWellFormed(), 100).replaceAll('/', '-')}/` },
                columnKind: 'utf16CodeUnits',
                invocations: [
                    { executionSuccessful: report.verdict !== 'error', toolExecutionNotifications: notifications(report, cut) },
                ],
                properties: { verdict: report.verdict, resultsTotal: findings.length, resultsLeftOut: cut },
                results: shown.map((finding) => result(finding, rules.get(ruleId(finding.issue))?.index ?? 0, fingerprint(finding))),
            },
        ],
    })}\n`;
}
function ruleId(issue) {
    return clip((0,lib_escape/* visibleLines */.gB)(issue.ruleCode).trim(), 200) || 'unnamed-rule';
}
/** A bracket would open a link in a SARIF message. */
function plain(text) {
    return (0,lib_escape/* visibleLines */.gB)(clip(text, sarif_LONGEST_TEXT)).replace(/[\\[\]]/g, '\\$&');
}
/** Relative, and encoded so that no character of a name means anything in a URI. */
function relativeUri(path) {
    return path.toWellFormed().split('/').map(encodeURIComponent).join('/');
}
/**
 * The service gives an issue a new id with every analysis, so an issue is followed by file, rule and sidekick, and by its
 * place among those that share them. Given as `primaryLocationLineHash` too: otherwise code scanning would make one of
 * the file's first line, which changes whenever the media does.
 */
function fingerprints() {
    const seen = new Map();
    return ({ asset, issue }) => {
        const key = JSON.stringify([asset.paths[0], issue.ruleCode, issue.sidekickId ?? '']);
        const place = (seen.get(key) ?? 0) + 1;
        seen.set(key, place);
        return (0,external_node_crypto_.createHash)('sha256').update(`${key}#${place}`).digest('hex').slice(0, 32);
    };
}
function result({ asset, issue }, ruleIndex, fingerprint) {
    const why = issue.headline ? `${plain(issue.headline)}: ` : '';
    return {
        ruleId: ruleId(issue),
        ruleIndex,
        level: sarif_LEVELS[issue.severity],
        message: { text: `${issue.severity}: ${why}${plain(issue.summary)}` },
        locations: asset.paths.slice(0, MOST_LOCATIONS).map((path) => ({
            physicalLocation: {
                artifactLocation: { uri: relativeUri(path), uriBaseId: '%SRCROOT%' },
                region: { startLine: 1 },
            },
        })),
        partialFingerprints: { primaryLocationLineHash: `${fingerprint}:1`, 'mediaComplianceIssue/v1': fingerprint },
        ...(issue.isNew === undefined ? {} : { baselineState: issue.isNew ? 'new' : 'unchanged' }),
        suppressions: suppressions(issue),
        properties: {
            severity: issue.severity,
            status: issue.status,
            standing: issue.standing,
            failsGate: issue.failsGate,
            referenceNumber: issue.referenceNumber ?? null,
            issueId: issue.id,
        },
    };
}
function suppressions(issue) {
    if (issue.standing === 'ignored') {
        return [
            { kind: 'external', status: 'accepted', justification: plain(`${issue.status} in the compliance service`) },
        ];
    }
    if (issue.standing !== 'waived')
        return [];
    const { waiver } = issue;
    const words = waiver ? `${waiver.reason} (${waiver.owner}, until ${waiver.expires})` : 'Waived';
    return [{ kind: 'external', status: 'accepted', justification: plain(words) }];
}
function notifications(report, cut) {
    const told = report.causes.slice(0, MOST_NOTIFICATIONS).map((cause) => ({
        level: 'error',
        descriptor: { id: cause.reason },
        message: { text: plain(`${cause.message} ${cause.fix}`) },
        ...(cause.path === undefined
            ? {}
            : {
                locations: [
                    { physicalLocation: { artifactLocation: { uri: relativeUri(cause.path), uriBaseId: '%SRCROOT%' } } },
                ],
            }),
    }));
    if (cut === 0)
        return told;
    const text = `${cut} results, the least severe, are left out: code scanning takes ${MOST_RESULTS} at most.`;
    return [...told, { level: 'warning', descriptor: { id: 'results-left-out' }, message: { text } }];
}

;// CONCATENATED MODULE: ./lib/report/budget.js
/** Bytes that may still be written. */
class Budget {
    left;
    constructor(bytes) {
        this.left = bytes;
    }
    /** Pays for a text if it fits. */
    take(text) {
        const bytes = Buffer.byteLength(text) + 1;
        if (bytes > this.left)
            return false;
        this.left -= bytes;
        return true;
    }
    /** A part of what is left, paid for at once; `giveBack` returns what was not used of it. */
    share(fraction) {
        const bytes = Math.floor(this.left * fraction);
        this.left -= bytes;
        return new Budget(bytes);
    }
    giveBack(unused) {
        this.left += unused.left;
        unused.left = 0;
    }
}
/** The first items that fit, rendered. Stops at the first that does not, so that what is shown stays worst first. */
function takeWhileFits(items, budget, render) {
    const kept = [];
    for (const item of items) {
        const text = render(item);
        if (!budget.take(text))
            break;
        kept.push(text);
    }
    return kept;
}

;// CONCATENATED MODULE: ./lib/report/summary-parts.js






function summary_parts_heading(report) {
    return `## ${verdictMark(report)} ${(0,lib_escape/* prose */.CS)(clip(title(report), 400))}`;
}
function summary_parts_meaning(report) {
    return `**${consequence(report)}**`;
}
/** Who reads no further still knows what was looked at, what counts and what it cost. */
function summary_parts_facts(report) {
    return [
        `**${plural(report.counts.filesMatched, 'file')}** ${checkedWord(report)}`,
        issueFacts(report),
        `**${cost(report)}**`,
    ]
        .filter((fact) => fact !== '')
        .join(' · ');
}
function checkedWord(report) {
    if (report.verdict === 'skipped')
        return report.counts.filesMatched === 0 ? 'looked at' : 'matched, none checked';
    return report.mode === 'sandbox' ? 'in the sandbox, none analysed' : 'matched';
}
/** "No issues" would be a claim where nothing was looked at. */
function issueFacts({ assets, counts, verdict, mode }) {
    if (counts.issues === 0) {
        if (verdict === 'skipped' || mode === 'sandbox')
            return '';
        if (!assets.some(({ outcome }) => outcome === 'judged'))
            return 'nothing was judged';
        if (verdict !== 'error')
            return 'no active issues';
        const judged = pathsOf(assets.filter(({ outcome }) => outcome === 'judged'));
        return `${count(judged)} judged without an active issue, ${count(counts.filesMatched - judged)} not judged`;
    }
    const stops = `, **${count(counts.failing)} ${counts.failing === 1 ? 'stops' : 'stop'} the check**`;
    return plural(counts.issues, 'active issue') + (counts.failing === 0 ? '' : stops);
}
/** The one thing to look at first. */
function summary_parts_worst([first]) {
    if (first === undefined || first.issue.standing !== 'active')
        return '';
    const { asset, issue } = first;
    const words = (0,lib_escape/* markdown */.wD)(clip(issue.headline || issue.summary, 200));
    return `**${issue.failsGate ? 'Look here first' : 'Worst finding'}:** ${pathsShort(asset)}: ${words} (${SEVERITY_MARKS[issue.severity]} ${issue.severity})`;
}
function summary_parts_nextSteps(report) {
    if (report.nextSteps.length === 0)
        return '';
    const steps = report.nextSteps.slice(0, 10).map((step, index) => `${index + 1}. ${(0,lib_escape/* prose */.CS)(clip(step, 600))}`);
    return ['### What to do now', '', ...steps].join('\n');
}
const SQUARES = { CRITICAL: '🟥', MAJOR: '🟧', MINOR: '🟨', INFO: '🟦' };
const LONGEST_BAR = 16;
/** A bar chart of characters: GitHub strips styles and embedded images from a summary. */
function severityPicture(report, findings) {
    if (findings.length === 0)
        return '';
    const most = Math.max(...SEVERITIES.map((severity) => report.counts.bySeverity[severity]));
    const failing = { CRITICAL: 0, MAJOR: 0, MINOR: 0, INFO: 0 };
    const fresh = { CRITICAL: 0, MAJOR: 0, MINOR: 0, INFO: 0 };
    for (const { issue } of findings) {
        if (issue.failsGate)
            failing[issue.severity] += 1;
        if (issue.isNew === true && issue.standing === 'active')
            fresh[issue.severity] += 1;
    }
    const isCompared = findings.some(({ issue }) => issue.isNew !== undefined);
    const rows = SEVERITIES.map((severity) => {
        const number = report.counts.bySeverity[severity];
        const cells = [
            `${SEVERITY_MARKS[severity]}&nbsp;**${SEVERITY_NAMES[severity]}**`,
            number === 0 ? '' : SQUARES[severity].repeat(barLength(number, most)),
            number === 0 ? '0' : `**${count(number)}**`,
            ...(isCompared ? [count(fresh[severity])] : []),
            failing[severity] === 0 ? '–' : `❌ ${count(failing[severity])}`,
        ];
        return `| ${cells.join(' | ')} |`;
    });
    return [
        '### Issues by severity',
        '',
        `| Severity | Active issues | Count |${isCompared ? ' New |' : ''} Stop the check |`,
        `| --- | --- | ---: |${isCompared ? ' ---: |' : ''} --- |`,
        ...rows,
        '',
        [threshold(report), notCounted(report)].filter((sentence) => sentence !== '').join(' '),
    ].join('\n');
}
function barLength(number, most) {
    return most <= LONGEST_BAR ? number : Math.max(1, Math.round((number / most) * LONGEST_BAR));
}
function notCounted({ counts }) {
    const told = [
        counts.known > 0 ? `${count(counts.known)} known from the base branch` : '',
        counts.waived > 0 ? `${count(counts.waived)} waived` : '',
        counts.ignored > 0 ? `${count(counts.ignored)} closed in the service` : '',
    ].filter((part) => part !== '');
    return told.length === 0 ? '' : `Not counted: ${told.join(', ')}.`;
}
/** One cause is told by the title and the next step already. */
function tabledCauses({ causes }) {
    return causes.length > 1 ? causes : [];
}
const CAUSE_TABLE_HEAD = ['| File | What happened | What to do |', '| --- | --- | --- |'].join('\n');
function causeRow(cause) {
    const cells = [
        cause.path === undefined ? '' : pathCode(cause.path),
        (0,lib_escape/* prose */.CS)(clip(cause.message, 1_000)),
        (0,lib_escape/* prose */.CS)(clip(cause.fix, 600)),
    ];
    return `| ${cells.join(' | ')} |`;
}
function summary_parts_notices(report) {
    if (report.notices.length === 0)
        return '';
    const shown = report.notices.slice(0, 20).map((notice) => `- ${(0,lib_escape/* prose */.CS)(clip(notice, 600))}`);
    const hidden = report.notices.length - shown.length;
    if (hidden > 0)
        shown.push(`- and ${count(hidden)} more`);
    return ['### Also good to know', '', ...shown].join('\n');
}
function paid({ mode, counts }) {
    if (mode === 'sandbox')
        return 'A sandbox key costs no credits.';
    return counts.filesSubmitted === 0
        ? 'Nothing was sent, so this run cost nothing.'
        : 'Only files that are sent cost credits; what is reused is free.';
}
function summary_parts_footer(report) {
    const { run, submission } = report;
    const money = `**What it cost:** ${cost(report)}. ${paid(report)}`;
    const details = [
        `gate ${(0,lib_escape/* markdown */.wD)(clip(report.gate, 100))}`,
        run.repository &&
            `${(0,lib_escape/* markdown */.wD)(clip(run.repository, 100))} at ${(0,lib_escape/* markdown */.wD)(clip(run.ref, 100))} (${(0,lib_escape/* markdown */.wD)(run.commit.slice(0, 7))})`,
        submission.id && `submission ${(0,lib_escape/* markdown */.wD)(clip(submission.id, 80))} ${(0,lib_escape/* markdown */.wD)(clip(submission.status, 40))}`,
        run.url && summary_issues_link(run.url, 'this run'),
        report.fullReport && `full report: ${(0,lib_escape/* markdown */.wD)(clip(report.fullReport, 300))}`,
    ].filter((part) => part !== '' && part !== undefined);
    return `${money}\n\n<sub>${details.join(' · ')}</sub>`;
}

;// CONCATENATED MODULE: ./lib/report/summary.js








/** Over 1 MiB GitHub drops the whole summary. */
const LIMIT_BYTES = 1_048_576 - 8_192;
/** What the words around the lists may take: section titles and the note on what was left out. */
const FRAME_BYTES = 2_048;
/** A table this short is easier to read than to unfold. */
const FEW = 10;
/** The first failing issues are shown unfolded. */
const OPEN_ISSUES = 5;
/**
 * The page of the run. To stay under the limit it drops, in this order: clean files, fixed issues, details of the least
 * severe issues, the least severe issues themselves, the files with the fewest issues. The page counts what it dropped.
 */
function renderSummary(report, limitBytes = LIMIT_BYTES) {
    const findings = worstFirst(report);
    const budget = new Budget(limitBytes - FRAME_BYTES);
    const top = takeWhileFits([
        summary_parts_heading(report),
        summary_parts_meaning(report),
        summary_parts_facts(report),
        summary_parts_worst(findings),
        summary_parts_footer(report),
        summary_parts_nextSteps(report),
        severityPicture(report, findings),
        summary_parts_notices(report),
    ], budget, (section) => section);
    const [heading = '', meaning = '', facts = '', worst = '', footer = '', next = '', picture = '', notices = ''] = top;
    const causeShare = budget.share(0.2);
    const allCauses = tabledCauses(report);
    const causes = takeWhileFits(allCauses, causeShare, causeRow);
    budget.giveBack(causeShare);
    const { notable, clean, unsent } = splitFiles(report, allCauses);
    const table = fileTable(report.assets);
    const fileShare = budget.share(0.35);
    const rows = takeWhileFits(notable, fileShare, table.row);
    budget.giveBack(fileShare);
    const issues = fitIssues(findings, budget);
    const allFixed = fixedOf(report.assets);
    const fixed = takeWhileFits(allFixed, budget, fixedLine);
    const cleanRows = takeWhileFits(clean, budget, table.row);
    const unsentRows = takeWhileFits(unsent, budget, table.row);
    const leftOut = [
        summary_missing(notable.length + clean.length + unsent.length - rows.length - cleanRows.length - unsentRows.length, 'file'),
        summary_missing(allCauses.length - causes.length, 'problem'),
        summary_missing(findings.length - issues.lines.length, 'issue'),
        issues.detailed < issues.lines.length
            ? `the details of ${plural(issues.lines.length - issues.detailed, 'issue')}`
            : '',
        summary_missing(allFixed.length - fixed.length, 'fixed issue'),
    ].filter((part) => part !== '');
    return [
        heading,
        meaning,
        facts,
        worst,
        leftOut.length === 0 ? '' : leftOutNote(report, leftOut),
        next,
        causes.length === 0 ? '' : section('What could not be judged', [CAUSE_TABLE_HEAD, ...causes]),
        picture,
        rows.length === 0 ? '' : section('Files, worst first', [table.head, ...rows]),
        cleanRows.length === 0
            ? ''
            : folded(`${plural(clean.length, 'file')} without any finding`, [table.head, ...cleanRows]),
        unsentRows.length === 0 ? '' : folded(`${plural(unsent.length, 'file')} not sent`, [table.head, ...unsentRows]),
        ...issueSections(findings, issues.lines),
        fixed.length === 0 ? '' : section('Fixed since the version before', fixed),
        notices,
        '---',
        footer,
    ]
        .filter((part) => part !== '')
        .join('\n\n')
        .concat('\n');
}
function isIn(asset, paths) {
    return asset.paths.some((path) => paths.has(path));
}
/** A file that a table of causes names needs no second row that says no more. */
function splitFiles({ assets, causes }, tabled) {
    const blamed = new Set(causes.map(({ path }) => path));
    const told = new Set(tabled.map(({ path }) => path));
    const isUnsent = (asset) => asset.source === 'not-sent' && !isIn(asset, blamed);
    const isTold = (asset) => asset.outcome !== 'judged' && asset.issues.length === 0 && isIn(asset, told);
    const others = assets.filter((asset) => !isUnsent(asset) && !isTold(asset));
    const isShort = others.length <= FEW;
    return {
        notable: isShort ? others : others.filter((asset) => !isClean(asset)),
        clean: isShort ? [] : others.filter(isClean),
        unsent: assets.filter(isUnsent),
    };
}
/** First every issue gets its line, worst first; what is left is spent on details, worst first again. */
function fitIssues(findings, budget) {
    const lines = takeWhileFits(findings, budget, asLine);
    let detailed = 0;
    for (const finding of findings.slice(0, lines.length)) {
        const details = issueDetails(finding, detailed < OPEN_ISSUES && finding.issue.failsGate);
        const line = lines[detailed] ?? '';
        const refund = new Budget(Buffer.byteLength(line) + 1);
        budget.giveBack(refund);
        if (!budget.take(details))
            break;
        lines[detailed] = details;
        detailed += 1;
    }
    return { lines, detailed };
}
function asLine(finding) {
    return `<div>${summary_issues_issueLine(finding)}</div>`;
}
function issueSections(findings, lines) {
    const pick = (wanted) => lines.filter((_, index) => {
        const finding = findings[index];
        return finding !== undefined && wanted(finding);
    });
    const failing = pick(({ issue }) => issue.failsGate);
    const others = pick(({ issue }) => !issue.failsGate && issue.standing === 'active');
    const apart = pick(({ issue }) => issue.standing !== 'active');
    return [
        failing.length === 0 ? '' : section('Issues that stop the check, worst first', failing),
        others.length === 0 ? '' : section(failing.length > 0 ? 'Other active issues' : 'Active issues', others),
        apart.length === 0 ? '' : section('Issues that do not count', apart),
    ];
}
function fixedOf(assets) {
    return assets.flatMap((asset) => (asset.fixed ?? []).map((issue) => ({ asset, issue })));
}
function fixedLine({ asset, issue }) {
    return `<div>✅ was ${issueName(issue)} in ${pathsShort(asset)}</div>`;
}
function section(title, lines) {
    return [`### ${title}`, '', ...lines].join('\n');
}
function folded(title, lines) {
    return [`<details><summary>${title}</summary>`, '', ...lines, '', '</details>'].join('\n');
}
function summary_missing(number, noun) {
    return number > 0 ? plural(number, noun) : '';
}
function leftOutNote(report, leftOut) {
    const where = report.fullReport ? `in ${(0,lib_escape/* markdown */.wD)(clip(report.fullReport, 300))}` : 'in the report files of this run';
    return `**This page is shortened** to fit GitHub's limit; the counts above are complete. Left out, least severe first: ${leftOut.join(', ')}. Everything is ${where}.`;
}

;// CONCATENATED MODULE: ./lib/report/files.js






const HTML_NAME = 'report.html';
const SARIF_NAME = 'report.sarif';
/** All report files, to be written into one folder. */
function reportFiles(report, media) {
    return [
        { name: HTML_NAME, content: renderHtml(report, media) },
        { name: 'report.json', content: renderJson(report) },
        { name: SARIF_NAME, content: renderSarif(report) },
        { name: 'junit.xml', content: renderJunit(report) },
        { name: 'summary.md', content: renderSummary(report) },
        { name: 'cleared.sha256', content: renderCleared(report) },
        { name: 'predicate.json', content: renderPredicate(report) },
    ];
}

;// CONCATENATED MODULE: ./lib/report/outputs.js
/** In the order of action.yml. */
const OUTPUT_NAMES = (/* unused pure expression or super */ null && ([
    'verdict',
    'reason',
    'mode',
    'submission-id',
    'submission-status',
    'issue-count',
    'critical-count',
    'major-count',
    'minor-count',
    'info-count',
    'new-issue-count',
    'highest-severity',
    'files-matched',
    'files-submitted',
    'files-reused',
    'assets-failed',
    'report-dir',
    'sarif-file',
    'state-file',
]));
/** Every output, on every verdict: a workflow can read any of them without asking whether it is there. */
function outputs(report, files) {
    const { counts } = report;
    return {
        verdict: report.verdict,
        reason: report.reason,
        mode: report.mode,
        'submission-id': report.submission.id,
        'submission-status': report.submission.status,
        'issue-count': String(counts.issues),
        'critical-count': String(counts.bySeverity.CRITICAL),
        'major-count': String(counts.bySeverity.MAJOR),
        'minor-count': String(counts.bySeverity.MINOR),
        'info-count': String(counts.bySeverity.INFO),
        'new-issue-count': String(counts.newIssues),
        'highest-severity': report.highestSeverity,
        'files-matched': String(counts.filesMatched),
        'files-submitted': String(counts.filesSubmitted),
        'files-reused': String(counts.filesReused),
        'assets-failed': String(counts.assetsFailed),
        'report-dir': files.reportDir,
        'sarif-file': files.sarifFile,
        'state-file': files.stateFile,
    };
}

;// CONCATENATED MODULE: ./lib/state/gate-id.js

function gateId({ name, workflow, job, matrix }) {
    return digest([name, workflow, job, matrix], 16);
}
/** For what one step leaves on the machine and in the run: two gates in one job may have one name. */
function stepId(place) {
    return digest([gateId(place), place.step], 16);
}
/**
 * Names are exact queries: gate, kind of key and line are in them, hashed because a branch may hold what a name may not.
 *
 * @param name the input `name`, for people
 */
function artifactName(name, { kind, gate, mode, line }) {
    return `${name}-${kind}-${digest([gate, mode, line], 16)}`;
}
function digest(parts, length) {
    return (0,external_node_crypto_.createHash)('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, length);
}

;// CONCATENATED MODULE: ./lib/report/comment.js






/** Counted in bytes, which are never fewer than GitHub's 65,536 characters. */
const comment_LIMIT_BYTES = 65_536;
const comment_FRAME_BYTES = 1_024;
/** A comment is read in passing: the summary has the rest. */
const MOST_ROWS = 10;
const comment_MOST_ISSUES = 20;
/** By this line a later run finds the comment again. Nothing in a marker can end the HTML comment. */
function markerLine(marker) {
    return `<!-- ${marker.replace(/[^\w:./@ ]/gu, '-').replace(/-{2,}/g, '-')} -->`;
}
/** The pull-request comment: the verdict, what to do, and the issues that matter, with the way to all others. */
function renderComment(report, marker) {
    const findings = worstFirst(report);
    const active = findings.filter(({ issue }) => issue.standing === 'active');
    const budget = new Budget(comment_LIMIT_BYTES - comment_FRAME_BYTES);
    const head = markerLine(marker);
    budget.take(head);
    const [heading = '', meaning = '', facts = '', worst = '', footer = '', next = '', picture = ''] = takeWhileFits([
        summary_parts_heading(report),
        summary_parts_meaning(report),
        summary_parts_facts(report),
        summary_parts_worst(findings),
        summary_parts_footer(report),
        summary_parts_nextSteps(report),
        severityPicture(report, findings),
    ], budget, (section) => section);
    const allCauses = tabledCauses(report);
    const causes = takeWhileFits(allCauses.slice(0, MOST_ROWS), budget, causeRow);
    const notable = report.assets.filter((asset) => !isClean(asset));
    const table = fileTable(notable);
    const rows = takeWhileFits(notable.slice(0, MOST_ROWS), budget, table.row);
    const issues = takeWhileFits(active.slice(0, comment_MOST_ISSUES), budget, (finding) => issueDetails(finding, false));
    const left = [
        [allCauses.length - causes.length, 'problem'],
        [notable.length - rows.length, 'file'],
        [active.length - issues.length, 'active issue'],
    ];
    const leftOut = left.filter(([number]) => number > 0).map(([number, noun]) => plural(number, noun));
    const summary = summary_issues_link(report.run.url, 'the summary of the run');
    return [
        head,
        heading,
        meaning,
        facts,
        worst,
        next,
        causes.length === 0 ? '' : ['### What could not be judged', '', CAUSE_TABLE_HEAD, ...causes].join('\n'),
        picture,
        rows.length === 0 ? '' : ['### Files, worst first', '', table.head, ...rows].join('\n'),
        issues.length === 0 ? '' : ['### Active issues, worst first', '', ...issues].join('\n'),
        leftOut.length === 0 ? '' : `Not shown here, least severe first: ${leftOut.join(', ')}. They are in ${summary}.`,
        footer,
    ]
        .filter((part) => part !== '')
        .join('\n\n');
}

;// CONCATENATED MODULE: ./lib/report/post-comment.js




/** Creating is not repeated blindly: before the second try, the first one is looked for. */
const post_comment_TRIES = 2;
/** Keeps the one comment of this gate up to date. What goes wrong is a warning: it never changes the verdict. */
async function writeComment(report, inputs, place, api, log) {
    const { pullRequest } = place;
    if (inputs.comment === 'never' || inputs.dryRun || !pullRequest)
        return;
    if (pullRequest.number === undefined) {
        log.warning('No comment was written: GitHub does not tell a `workflow_run` which pull request of a fork it follows. Run the gate on `pull_request_target` if you want one.');
        return;
    }
    const marker = `media-compliance-gate ${gateId({ ...inputs, ...place })}`;
    const body = renderComment(report, marker);
    const target = { number: pullRequest.number, headSha: pullRequest.headSha, marker, body };
    try {
        for (let attempt = 1;; attempt++) {
            try {
                await keepUpToDate(target, inputs.comment, report.green, api, log);
                return;
            }
            catch (error) {
                const isWorthAnother = error instanceof GitHubError && error.trouble === 'unavailable' && attempt < post_comment_TRIES;
                if (!isWorthAnother)
                    throw error;
            }
        }
    }
    catch (error) {
        if (!(error instanceof interruption/* Interruption */._))
            log.warning(`${post_comment_inWords(error, place)} The verdict stands.`);
    }
}
async function keepUpToDate({ number, headSha, marker, body }, mode, isGreen, api, log) {
    const existing = await findOwn(await api.comments(number), marker, async () => await api.ownLogin());
    if (!existing && mode === 'on-failure' && isGreen)
        return;
    const newest = await api.pullRequest(number);
    if (newest.headSha !== headSha) {
        log.info('The pull request has been pushed to since: its comment is left to the run of the newest commit.');
        return;
    }
    if (existing)
        await api.updateComment(existing.id, body);
    else
        await api.createComment(number, body);
    log.info(existing ? 'Updated the comment on the pull request.' : 'Wrote a comment on the pull request.');
}
/**
 * Anybody can write a comment that begins with our marker; only one that this token wrote is ours. Who that is, is asked
 * only where there is a comment to choose.
 */
async function findOwn(comments, marker, ownLogin) {
    const marked = comments.filter(({ body }) => body?.trimStart().startsWith(markerLine(marker)));
    if (marked.length === 0)
        return undefined;
    const own = await ownLogin();
    return marked.find(({ user }) => user?.login === own);
}
function post_comment_inWords(error, { event, pullRequest }) {
    if (!(error instanceof GitHubError)) {
        return `Could not write the comment: ${error instanceof Error ? error.message : String(error)}.`;
    }
    if (error.trouble === 'permission' && pullRequest?.isFork && event === 'pull_request') {
        return `${error.message} GitHub gives pull requests from forks a token that cannot write; the summary of the run tells the same.`;
    }
    return `${error.message} ${error.fix}`;
}

// EXTERNAL MODULE: external "node:os"
var external_node_os_ = __nccwpck_require__(48161);
// EXTERNAL MODULE: ./lib/github/artifacts.js
var artifacts = __nccwpck_require__(18328);
;// CONCATENATED MODULE: ./lib/report/report-folder.js







function reportPlace(report, inputs, context, hasArtifacts) {
    // Two gates in one job, and the legs of a matrix, must not write over each other.
    const id = stepId({ ...context, name: report.gate, matrix: inputs?.matrix ?? '' }).slice(0, 8);
    const name = `${report.gate}-report-${id}`;
    const folder = inputs?.reportDir === undefined
        ? external_node_path_.join(context.temp || (0,external_node_os_.tmpdir)(), name)
        : external_node_path_.resolve(context.workspace, inputs.reportDir);
    const isUploaded = inputs?.reportArtifact === true && hasArtifacts && !context.isGhes;
    return {
        folder,
        artifact: isUploaded ? name : undefined,
        inWords: isUploaded ? `artifact ${name} of this run` : folder,
    };
}
/** @returns the files */
async function writeReports(report, folder, workspace) {
    const media = await readMedia(report, workspace);
    await (0,promises_.mkdir)(folder, { recursive: true });
    const files = [];
    for (const { name, content } of reportFiles(report, media)) {
        const file = external_node_path_.join(folder, name);
        await (0,promises_.writeFile)(file, content);
        files.push(file);
    }
    return files;
}
async function readMedia(report, workspace) {
    const chosen = new Set(mediaToEmbed(report.assets));
    const media = new Map();
    for (const { paths, mime, size } of report.assets) {
        const [file] = paths;
        if (file === undefined || !chosen.has(file))
            continue;
        const bytes = await (0,promises_.readFile)(external_node_path_.join(workspace, file));
        // Another size is another file: a Git LFS pointer, or one that was written over meanwhile.
        if (bytes.length === size)
            media.set(file, { mime, base64: bytes.toString('base64') });
    }
    return media;
}
/** All files in one artifact, and the page once more by itself, so that it opens with one click. */
async function uploadReports({ artifact, folder }, files, retentionDays) {
    if (artifact === undefined)
        return;
    await (0,artifacts/* uploadArtifact */.mz)(artifact, files, retentionDays);
    const page = external_node_path_.join(folder, `${artifact}.html`);
    await (0,promises_.copyFile)(external_node_path_.join(folder, HTML_NAME), page);
    await (0,artifacts/* uploadPage */.n0)(page, retentionDays);
}

;// CONCATENATED MODULE: ./lib/report/publish.js








/** Tells the verdict wherever people look. What cannot be written is a warning: it never changes the verdict. */
async function publish(judged, trail, { runner, api, context }) {
    const { log } = runner;
    const board = await runner.open();
    const place = reportPlace(judged, trail.inputs, context, runner.hasArtifacts);
    const report = { ...judged, fullReport: place.inWords };
    for (const notice of report.notices)
        log.info(`Note: ${notice}`);
    const reports = await attempt(log, 'the report files', () => writeReports(report, place.folder, context.workspace));
    await attempt(log, 'the job summary', () => board.writeSummary(renderSummary(report)));
    // A run that is told to stop has only seconds left.
    if (trail.inputs && !trail.wasStopped) {
        const { inputs } = trail;
        if (reports)
            await attempt(log, 'the report artifact', () => uploadReports(place, reports, inputs.retentionDays));
        await writeComment(report, inputs, context, api, log);
    }
    if (place.artifact !== undefined && context.isPublic)
        log.notice('This repository is public, so everybody can read the report artifact. Set `report-artifact: false` to keep findings to yourself.');
    if (report.verdict === 'pass' && report.mode === 'sandbox')
        log.warning(title(report));
    const spoken = trail.skipIsExpected ? { ...report, causes: [] } : report;
    for (const annotation of annotations(spoken, runner.spent))
        board.annotate(annotation);
    await attempt(log, 'the outputs', async () => {
        const reportDir = reports ? place.folder : '';
        const files = { reportDir, sarifFile: reportDir && external_node_path_.join(reportDir, SARIF_NAME), stateFile: trail.stateFile };
        for (const [name, value] of Object.entries(outputs(report, files)))
            board.output(name, value);
    });
    log.info(receipt(report));
    if (!report.green)
        board.fail(title(report));
}
/** Undefined where it failed. */
async function attempt(log, what, write) {
    try {
        return await write();
    }
    catch (error) {
        const words = (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
        log.warning(`Could not write ${what}: ${words}. The verdict stands.`);
        return undefined;
    }
}

;// CONCATENATED MODULE: ./lib/media/name.js

const LONGEST_NAME = 200;
const DIGITS = 16;
/**
 * The name that a file is sent under. A workspace of the service may serve many repositories, and a name sent twice may
 * mean the same storage: so one name must mean one content. The digits see to that; the stem is for people.
 *
 * @param path Where the content is; where it is in several places, the first.
 * @param extension The detected one, without the dot.
 */
function assetName(path, sha256, repositoryId, extension) {
    const digits = (0,external_node_crypto_.createHash)('sha256').update(`${repositoryId}\n${sha256}`).digest('hex').slice(0, DIGITS);
    const ending = `-${digits}.${extension.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, 20) || 'bin'}`;
    const stem = stemOf(path)
        .slice(0, LONGEST_NAME - ending.length)
        .replace(/[._-]+$/, '');
    return `${stem || 'file'}${ending}`;
}
/** The whole path, not only the file's name: `en/hero.mp4` and `de/hero.mp4` are told apart by a person. */
function stemOf(path) {
    return path
        .replace(/(?<=[^/])\.[^./]*$/, '')
        .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
        .replaceAll(/[._-]*([._-])[._-]*/g, '$1')
        .replace(/^[._-]+/, '');
}

;// CONCATENATED MODULE: ./lib/state/age.js
/** A path that is gone may come back with a revert, and a content with its path. */
const KEEP_DAYS = 90;
/** After that, an analysis that never ended is not waited for any more. */
const KEEP_OPEN_DAYS = 7;
const DAY_MS = 86_400_000;
/** @param time ISO 8601 */
function isYounger(time, days, now) {
    return now.getTime() - Date.parse(time) < days * DAY_MS;
}

;// CONCATENATED MODULE: ./lib/state/plan.js



const NO_LOSSES = { submissions: new Set(), contents: new Map() };
function settingsOf(sidekickIds) {
    return sidekickIds ? (0,external_node_crypto_.createHash)('sha256').update(sidekickIds.toSorted().join()).digest('hex').slice(0, 16) : '';
}
/** Decides what is reused, what is awaited and what is sent. */
function plan(files, pointers, knowledge, losses, rules) {
    const openBySha = openContents(knowledge, losses, rules);
    const submit = [];
    const reuse = [];
    const awaited = new Map();
    const unknownPointers = [];
    for (const group of groupByContent(files, pointers)) {
        const content = plan_contentOf(group, rules.repositoryId);
        const known = knowledge.analysis(content.sha256, rules.settings);
        const open = openBySha.get(content.sha256);
        if (known && isReusable(known, losses, rules)) {
            reuse.push({ content, known });
        }
        else if (open) {
            const entry = awaited.get(open.submissionId) ?? { createdAt: open.createdAt, contents: [] };
            entry.contents.push({ ...content, name: open.name });
            awaited.set(open.submissionId, entry);
        }
        else if (isSendable(content)) {
            submit.push({ content, ...reasonToSend(content, known, knowledge, losses) });
        }
        else {
            unknownPointers.push(...group.pointers);
        }
    }
    return {
        submit,
        reuse,
        await: [...awaited].map(([submissionId, entry]) => ({ submissionId, ...entry })),
        unknownPointers,
    };
}
function groupByContent(files, pointers) {
    const groups = new Map();
    const groupOf = (sha256) => {
        const group = groups.get(sha256) ?? { sha256, files: [], pointers: [] };
        groups.set(sha256, group);
        return group;
    };
    for (const file of files)
        groupOf(file.sha256).files.push(file);
    for (const pointer of pointers)
        groupOf(pointer.sha256).pointers.push(pointer);
    return groups.values();
}
function plan_contentOf({ sha256, files, pointers }, repositoryId) {
    const [file] = files;
    const paths = [...files, ...pointers].map(({ path }) => path).toSorted();
    return {
        sha256,
        size: file?.stamp.size ?? pointers[0]?.size ?? 0,
        paths,
        file,
        name: file ? assetName(file.path, sha256, repositoryId, file.type.extension) : '',
    };
}
function isSendable(content) {
    return content.file !== undefined;
}
function isReusable(known, losses, { reuseDays, now }) {
    return (isYounger(known.analysedAt, reuseDays, now) &&
        !losses.submissions.has(known.submissionId) &&
        !losses.contents.has(known.sha256));
}
/** With `reuse-days: 0` too: what is still being analysed is not old. */
function openContents(knowledge, losses, { settings }) {
    // What was judged since then is not open any more, whoever still says so.
    const isJudged = (sha256, createdAt) => (knowledge.analysis(sha256, settings)?.analysedAt ?? '') >= createdAt;
    const bySha = new Map();
    for (const { submissionId, createdAt, settings: used, contents } of knowledge.open) {
        if (used !== settings || losses.submissions.has(submissionId))
            continue;
        for (const { sha256, name } of contents) {
            // Sent twice, the later one counts: the first may have failed.
            const isLater = createdAt > (bySha.get(sha256)?.createdAt ?? '');
            const isOpen = !losses.contents.has(sha256) && !isJudged(sha256, createdAt);
            if (isLater && isOpen)
                bySha.set(sha256, { submissionId, createdAt, name });
        }
    }
    return bySha;
}
/** @param known its analysis with the settings of this run */
function reasonToSend(content, known, knowledge, losses) {
    const earlier = content.paths.map((path) => knowledge.path(path)).find((path) => path !== undefined);
    // A content that lies elsewhere now was renamed: its history goes on.
    const anyAnalysis = known ?? knowledge.content(content.sha256);
    const previous = earlier?.submissionId ?? anyAnalysis?.submissionId;
    const why = () => {
        const loss = losses.contents.get(content.sha256);
        if (loss)
            return loss;
        if (known)
            return losses.submissions.has(known.submissionId) ? 'gone from the service' : 'analysed too long ago';
        if (anyAnalysis)
            return 'other sidekicks';
        if (wasOpenIn(losses.submissions, content.sha256, knowledge))
            return 'gone from the service';
        return earlier ? 'changed' : 'new';
    };
    return {
        why: why(),
        previousSubmissionId: previous !== undefined && losses.submissions.has(previous) ? undefined : previous,
    };
}
function wasOpenIn(submissions, sha256, knowledge) {
    if (submissions.size === 0)
        return false;
    return knowledge.open.some(({ submissionId, contents }) => submissions.has(submissionId) && contents.some((content) => content.sha256 === sha256));
}
/** By content: the submission that holds its earlier version. */
function previousSubmissions(entries) {
    return new Map(entries.flatMap(({ content, previousSubmissionId }) => previousSubmissionId === undefined ? [] : [[content.sha256, previousSubmissionId]]));
}
/** A guard against a surprise bill: a pattern that matches a whole archive should cost a red check, not money. */
function tooMany({ submit }, maxFiles) {
    if (submit.length <= maxFiles)
        return [];
    return [
        {
            reason: 'pre-flight',
            message: `${submit.length} files would be sent, and \`max-files\` allows ${maxFiles}. Nothing was sent.`,
            fix: 'Narrow the patterns in `files`, or raise `max-files` if you mean to pay for them all.',
        },
    ];
}

;// CONCATENATED MODULE: ./lib/state/remember.js

/** What the next run has to know: all that was known, and what this run adds. */
function remember(knowledge, run, rules) {
    const lessons = lessonsOf(knowledge, run, rules.now);
    const paths = keptPaths(knowledge, run, lessons, rules.now);
    return {
        contents: keptContents(knowledge, run, lessons, paths, rules),
        paths,
        open: stillOpen(knowledge, run, rules.now),
    };
}
function lessonsOf(knowledge, { reused, analysed, settings }, now) {
    const learn = (result, analysedAt) => {
        const content = knownContent(result, settings, analysedAt);
        return content ? [{ content, paths: result.content.paths }] : [];
    };
    const time = now.toISOString();
    return [
        ...reused.flatMap((result) => learn(result, knowledge.analysis(result.content.sha256, settings)?.analysedAt ?? time)),
        ...analysed.flatMap((result) => learn(result, time)),
    ];
}
function knownContent(result, settings, analysedAt) {
    const { content, outcome, submissionId, assetId, versionGroupId, versionNumber, issues } = result;
    if (outcome !== 'judged' || assetId === undefined)
        return undefined;
    return {
        sha256: content.sha256,
        submissionId,
        assetId,
        analysedAt,
        settings,
        ...(versionGroupId !== undefined && { versionGroupId }),
        ...(versionNumber !== undefined && { versionNumber }),
        issues: issues.map(shortened),
    };
}
const remember_LONGEST_TEXT = 300;
function shortened(issue) {
    return {
        ...issue,
        summary: cut(issue.summary),
        headline: issue.headline && cut(issue.headline),
        reasoning: undefined,
        precedents: [],
        createdAt: undefined,
        updatedAt: undefined,
    };
}
function cut(text) {
    return text.slice(0, remember_LONGEST_TEXT).toWellFormed();
}
function keptPaths(knowledge, { paths: present }, lessons, now) {
    const isPresent = new Set(present);
    const time = now.toISOString();
    const paths = new Map(knowledge.paths.map((path) => [
        path.path,
        isPresent.has(path.path) ? { ...path, seenAt: time, isPresent: true } : { ...path, isPresent: false },
    ]));
    for (const { content, paths: learnt } of lessons) {
        const { sha256, submissionId } = content;
        for (const path of learnt)
            paths.set(path, { path, sha256, submissionId, seenAt: time, isPresent: true });
    }
    return [...paths.values()].filter(({ seenAt }) => isYounger(seenAt, KEEP_DAYS, now));
}
function keptContents(knowledge, { settings }, lessons, paths, { reuseDays, now }) {
    const contents = new Map(knowledge.contents.map((content) => [remember_keyOf(content), content]));
    for (const { content } of lessons)
        contents.set(remember_keyOf(content), content);
    const inUse = new Set(paths.map(({ sha256 }) => sha256));
    return [...contents.values()].filter((content) => (inUse.has(content.sha256) && content.settings === settings) ||
        isYounger(content.analysedAt, Math.max(reuseDays, KEEP_DAYS), now));
}
function remember_keyOf({ sha256, settings }) {
    return `${sha256} ${settings}`;
}
/**
 * What was sent and not judged is looked for again, even where the service calls it finished or failed: its results may be
 * readable then, a failed asset may be retried in place, and sending it again would be paid for again.
 */
function stillOpen(knowledge, run, now) {
    const results = new Map([...run.reused, ...run.analysed].map((result) => [result.content.sha256, result]));
    const isJudged = (sha256) => results.get(sha256)?.outcome === 'judged';
    const records = new Map();
    const keep = (record, content) => {
        const { submissionId, createdAt, settings } = record;
        const kept = records.get(submissionId) ?? { submissionId, createdAt, settings, contents: [] };
        kept.contents.push({ sha256: content.sha256, name: content.name });
        records.set(submissionId, kept);
    };
    const dealtWith = new Set();
    for (const { submissionId, createdAt, contents } of run.submissions) {
        for (const content of contents) {
            dealtWith.add(content.sha256);
            // A retry may have gone on in another submission.
            const id = results.get(content.sha256)?.submissionId ?? submissionId;
            if (!isJudged(content.sha256))
                keep({ submissionId: id, createdAt, settings: run.settings }, content);
        }
    }
    for (const record of knowledge.open) {
        for (const content of record.contents) {
            const isSettled = dealtWith.has(content.sha256) || isJudged(content.sha256);
            if (record.settings !== run.settings || !isSettled)
                keep(record, content);
        }
    }
    return [...records.values()].filter(({ createdAt }) => isYounger(createdAt, KEEP_OPEN_DAYS, now));
}

;// CONCATENATED MODULE: ./lib/save-state.js



/** Right after a submission was created: from now on it can be lost, and then it would be paid for again. */
async function saveOpen(trail, store, log) {
    await save('open', trail, store, log);
}
/** When all is read. A run that learnt nothing leaves the last state as it is. */
async function saveState(trail, store, { runner, signal }) {
    const { reused, analysed, submission, outage } = trail;
    const hasLearnt = (reused.length > 0 && !outage) || analysed.length > 0 || submission !== undefined;
    // A run that is told to stop has seconds, and what is open was saved when it was created.
    if (hasLearnt && !(signal.reason instanceof interruption/* Interruption */._))
        await save('state', trail, store, runner.log);
}
async function save(kind, trail, store, log) {
    const { inputs, discovery, plan, reused, analysed, submission, history } = trail;
    try {
        const document = remember(history.knowledge, {
            paths: discovery?.files.map(({ path }) => path) ?? [],
            reused,
            analysed,
            submissions: [...(submission ? [submission] : []), ...(plan?.await ?? [])],
            settings: settingsOf(inputs?.sidekickIds),
        }, { reuseDays: inputs?.reuseDays ?? 0, now: new Date() });
        trail.stateFile = await store.save(kind, document);
    }
    catch (error) {
        const words = error instanceof Error ? error.message : String(error);
        log.warning(`The state could not be saved, so the next run may send the same files again: ${words}. The verdict stands.`);
    }
}

;// CONCATENATED MODULE: ./lib/service/answers.js

/**
 * What the service's answers must hold, checked where they enter. Only what we need is required, and what is not shown
 * in the contract is never relied on: an unknown field, state or event must not break a gate.
 */
const answers_text = dist/* nullish */.cl6(dist/* string */.YjP());
const answers_count = dist/* nullish */.cl6(dist/* pipe */.FsL(dist/* number */.aig(), dist/* integer */.ndf(), dist/* minValue */.Wwf(0)));
/** A failure in an unforeseen shape is still a failure. */
const failureText = dist/* pipe */.FsL(dist/* unknown */.L5J(), dist/* transform */.pdi((told) => (typeof told === 'string' || told === null || told === undefined ? told : inJson(told))));
function inJson(told) {
    try {
        return JSON.stringify(told);
    }
    catch {
        // Nested deeper than it can be written.
        return 'an error in an unreadable form';
    }
}
/** Only helps a reader. */
const versionFields = { versionGroupId: dist/* fallback */.NpB(answers_text, null), versionNumber: dist/* fallback */.NpB(answers_count, null) };
const UploadUrlAnswer = dist/* object */.Ikc({
    uploadUrl: dist/* pipe */.FsL(dist/* string */.YjP(), dist/* url */.OZ5()),
    blobPath: dist/* pipe */.FsL(dist/* string */.YjP(), dist/* minLength */.BpQ(1)),
});
const DirectUploadAnswer = dist/* object */.Ikc({ blobPath: dist/* pipe */.FsL(dist/* string */.YjP(), dist/* minLength */.BpQ(1)), sizeBytes: dist/* number */.aig() });
/** The rest of this answer can be read again. */
const CreationAnswer = dist/* object */.Ikc({
    submissionId: dist/* pipe */.FsL(dist/* string */.YjP(), dist/* minLength */.BpQ(1)),
    assets: dist/* fallback */.NpB(dist/* array */.YOg(dist/* object */.Ikc({ assetId: dist/* string */.YjP() })), []),
});
const AssetStatus = dist/* object */.Ikc({
    assetId: dist/* string */.YjP(),
    ...versionFields,
    issueCount: answers_count,
    errorMessage: dist/* optional */.lqM(failureText),
    errorType: dist/* optional */.lqM(failureText),
    isRetryable: dist/* fallback */.NpB(dist/* boolean */.zMY(), false),
    retryCount: dist/* fallback */.NpB(dist/* pipe */.FsL(dist/* number */.aig(), dist/* integer */.ndf()), 0),
});
const SubmissionAnswer = dist/* object */.Ikc({
    submissionId: dist/* string */.YjP(),
    status: dist/* string */.YjP(),
    progressPercent: dist/* fallback */.NpB(dist/* nullish */.cl6(dist/* number */.aig()), null),
    assets: dist/* array */.YOg(AssetStatus),
});
const AssetAnswer = dist/* object */.Ikc({
    assetId: dist/* string */.YjP(),
    submissionId: answers_text,
    filename: dist/* string */.YjP(),
    status: dist/* string */.YjP(),
    issueCount: answers_count,
    ...versionFields,
    issues: dist/* optional */.lqM(dist/* unknown */.L5J()),
});
const FireAnswer = dist/* object */.Ikc({ dispatched: dist/* number */.aig() });
/** For answers whose shape is not shown: they are taken apart item by item. */
const AnyAnswer = dist/* unknown */.L5J();

;// CONCATENATED MODULE: ./lib/service/buckets.js

/** The service counts by the minute. */
const WINDOW_MS = 60_000;
/** What was learned is held to be true for so long after the last 429: others may share the limit, and stop. */
const BELIEF_MS = 5 * WINDOW_MS;
/** Where nothing was accepted there is no rate to go by: only not all at once. */
const BLIND_GAP_MS = 100;
/** A rate learned by mistake may not cost more than this; a bucket that is slower still says so itself, with a 429. */
const LONGEST_GAP_MS = 1_000;
/**
 * Keeps to limits that are only known by their 429s. One closes its bucket for every worker, and no other bucket. Once it
 * is open again, requests follow each other at the rate at which they were accepted, instead of all at once.
 */
class Buckets {
    #limits = new Map();
    /** When. A run makes thousands of requests, not millions: nothing has to be forgotten. */
    #accepted = new Map();
    /** @returns true where it was open before, so that its closing is news */
    close(bucket, until, failure) {
        const before = this.#limits.get(bucket)?.closedUntil ?? 0;
        if (until > before) {
            this.#limits.set(bucket, { closedUntil: until, failure, gapMs: this.#gap(bucket, until), nextAt: until });
        }
        return before <= Date.now();
    }
    /** A request was answered, and not with 429. */
    accepted(bucket) {
        const times = this.#accepted.get(bucket) ?? [];
        this.#accepted.set(bucket, times);
        times.push(Date.now());
    }
    /** Resolves when a request may begin, or with what closed the bucket for longer than there is time. */
    async opened(bucket, { signal, until }) {
        for (;;) {
            const now = Date.now();
            const limit = this.#limits.get(bucket);
            if (!limit || limit.closedUntil + BELIEF_MS <= now)
                return undefined;
            const startsAt = Math.max(now, limit.nextAt);
            if (startsAt > until)
                return limit.failure;
            limit.nextAt = startsAt + limit.gapMs;
            if (startsAt > now)
                await sleep(startsAt - now, signal);
            // It may have been closed again meanwhile.
            if ((this.#limits.get(bucket)?.closedUntil ?? 0) <= Date.now())
                return undefined;
        }
    }
    /** From the first request of the last minute until the bucket opens again, it took this many: that is its rate. */
    #gap(bucket, opensAt) {
        const recent = (this.#accepted.get(bucket) ?? []).filter((at) => at > Date.now() - WINDOW_MS);
        const [first] = recent;
        if (first === undefined)
            return BLIND_GAP_MS;
        return Math.min(LONGEST_GAP_MS, (opensAt - first) / recent.length);
    }
}

;// CONCATENATED MODULE: ./lib/service/retry.js
const GIVE_UP_MS = 120_000;
/** A service that breaks its contract will most likely go on to do so. */
const CONTRACT_TRIES = 3;
/**
 * Uploading under a name that means one content: doing it twice changes nothing. It is also the first thing that a run
 * asks for, and an answer that is no answer then most often means a wrong address: that should be told soon.
 */
const UPLOAD = {
    statuses: 'transient',
    connection: 'always',
    unreadableTries: 3,
    giveUpMs: GIVE_UP_MS,
    mostPerTryMs: GIVE_UP_MS,
};
/** Sending a file: the time in which its bytes moved is not the service's silence. */
const TRANSFER = { ...UPLOAD, mostPerTryMs: 20_000 };
/** Reading. Something paid for hangs on it, so a proxy's error page is waited out like any other outage. */
const READ = { ...UPLOAD, unreadableTries: Number.POSITIVE_INFINITY };
/** Reading what only helps a person: not worth much time. */
const READ_EXTRA = { ...READ, giveUpMs: 15_000 };
/** Asking for a retry twice is no harm: while one is in flight, the second is refused (409). */
const RETRY_ASSET = { ...UPLOAD };
/** Creating costs credits, and a second one is a second bill. After 503 and 504 the first may have arrived. */
const ONCE = {
    statuses: [429, 500, 502],
    connection: 'unsent',
    unreadableTries: 1,
    giveUpMs: GIVE_UP_MS,
    mostPerTryMs: GIVE_UP_MS,
};
/** @param tries how many there were so far */
function isWorthAnotherTry(policy, failure, tries) {
    switch (failure.kind) {
        case 'status':
            return policy.statuses === 'transient' ? isTransient(failure.status) : policy.statuses.includes(failure.status);
        case 'connection':
            return !failure.error.isLasting && (policy.connection === 'always' || !failure.error.maybeReceived);
        case 'unreadable':
            return tries < Math.min(policy.unreadableTries, failure.isJson ? CONTRACT_TRIES : Number.POSITIVE_INFINITY);
    }
}
function isTransient(status) {
    return status === 408 || status === 429 || status >= 500;
}

;// CONCATENATED MODULE: ./lib/service/persevere.js




/** With less time than this left, another try could only fail for the lack of it. */
const SHORTEST_TRY_MS = 5_000;
/**
 * Tries until it works or is not worth another try. What counts against the time after which a service is given up is
 * the time in which nothing came of it, pauses included.
 */
async function persevere(options) {
    const { policy, patience, effort } = options;
    let lostMs = 0;
    for (let tries = 1;; tries += 1) {
        const refusal = await options.ready?.();
        if (refusal)
            return { failure: refusal };
        const startedAt = Date.now();
        const result = await options.attempt(persevere_cut(patience, policy.giveUpMs - lostMs));
        if ('value' in result)
            return result;
        const { failure } = result;
        if (!isWorthAnotherTry(policy, failure, tries))
            return result;
        const delayMs = delayAfter(failure, tries);
        if (isRateLimit(failure)) {
            if (Date.now() + delayMs > effort.until)
                return result;
            // It is an answer: the service lives, and our patience with an outage starts afresh.
            lostMs = 0;
        }
        else {
            lostMs += lostBy(failure, Date.now() - startedAt, policy) + delayMs;
            if (lostMs + SHORTEST_TRY_MS > policy.giveUpMs)
                return result;
        }
        options.onRetry(failure, delayMs);
        await sleep(delayMs, effort.signal);
    }
}
function delayAfter(failure, tries) {
    const told = failure.kind === 'status' && isRateLimit(failure) ? retryAfterMs(failure.retryAfter) : undefined;
    return told ?? backoff(tries);
}
/** A stall is silence for as long as it lasted; what went before it was not. */
function lostBy(failure, durationMs, { mostPerTryMs }) {
    const silentMs = failure.kind === 'connection' ? failure.error.silentMs : undefined;
    return Math.min(durationMs, silentMs ?? mostPerTryMs);
}
function persevere_cut({ answerMs, stallMs }, leftMs) {
    return { answerMs: Math.min(answerMs, leftMs), stallMs: Math.min(stallMs, leftMs) };
}

;// CONCATENATED MODULE: ./lib/service/caller.js







/** Asks the service: with its key, within its rate limits, again where that makes sense. */
class Caller {
    #access;
    #http;
    #userAgent;
    #log;
    #buckets = new Buckets();
    /** Once the key or the plan was refused, every other request would be, too. */
    #refusal;
    constructor(access, http, userAgent, log) {
        this.#access = access;
        this.#http = http;
        this.#userAgent = userAgent;
        this.#log = log;
    }
    /** Returns the first answer with a 2xx status that holds what was agreed; throws a `ServiceError` where none came. */
    async ask(question) {
        const { endpoint, effort } = question;
        const { bucket, retry, patience, doing } = endpoint;
        const result = await persevere({
            policy: retry,
            patience,
            effort,
            ready: async () => {
                const closed = await this.#buckets.opened(bucket, effort);
                if (this.#refusal)
                    throw this.#refusal;
                return closed;
            },
            attempt: async (left) => {
                const result = await this.#attempt(question, left);
                if ('value' in result || !isRateLimit(result.failure))
                    this.#buckets.accepted(bucket);
                return result;
            },
            onRetry: (failure, delayMs) => {
                const isNews = !isRateLimit(failure) || this.#buckets.close(bucket, Date.now() + delayMs, failure);
                const error = new ServiceError(doing, failure);
                if (isNews)
                    this.#log.info(`${error.message}; trying again in ${Math.ceil(delayMs / 1000)} s`);
            },
        });
        if ('value' in result)
            return result.value;
        const error = new ServiceError(doing, result.failure);
        if (error.endsRun)
            this.#refusal ??= error;
        throw error;
    }
    async #attempt(question, patience) {
        const answer = await this.#send(question, patience);
        if (answer instanceof ConnectionError)
            return { failure: { kind: 'connection', error: answer } };
        if (answer.status < 200 || answer.status >= 300)
            return { failure: refused(answer) };
        const json = caller_parseJson(answer.text);
        const parsed = dist/* safeParse */.xLC(question.schema, json);
        if (parsed.success && json !== undefined)
            return { value: parsed.output };
        return { failure: caller_unreadable(answer.text, json, parsed.issues?.[0]) };
    }
    async #send({ endpoint, path, payload, effort: { signal } }, patience) {
        const { headers = {}, body } = (await payload?.()) ?? {};
        const isPrecious = endpoint.retry.connection === 'unsent';
        try {
            const answer = await this.#http.send({
                method: endpoint.method,
                url: this.#access.baseUrl + path,
                headers: {
                    accept: 'application/json',
                    'user-agent': this.#userAgent,
                    'x-api-key': this.#access.apiKey,
                    ...headers,
                },
                ...(body !== undefined && { body }),
                patience,
                signal,
                freshConnection: isPrecious,
            });
            // A service that repeats our key must not get it into a log or a report.
            return { ...answer, text: answer.text.replaceAll(this.#access.apiKey, '***') };
        }
        catch (error) {
            if (error instanceof ConnectionError)
                return error;
            // Whether it arrived is not known, and that must be told rather than that the run was stopped.
            if (signal.aborted && isPrecious)
                return new ConnectionError('the run was stopped before the answer came', { maybeReceived: true });
            throw error;
        }
    }
}
function refused({ status, location, retryAfter, text }) {
    return { kind: 'status', status, location, retryAfter, words: withoutSignatures(wordsOf(text)) };
}
function withoutSignatures(words) {
    return words.replaceAll(/([?&;](?:sig|signature|x-amz-[a-z-]+)=)[^&\s"']+/gi, '$1***');
}
function caller_unreadable(text, json, issue) {
    if (json === undefined) {
        const words = /^\s*</.test(text) ? 'a web page instead of JSON' : 'not JSON, or cut off';
        return { kind: 'unreadable', words, isJson: false };
    }
    const field = issue && dist/* getDotPath */.BuJ(issue);
    return { kind: 'unreadable', words: field ? `\`${field}\` is not as agreed` : 'not the agreed JSON', isJson: true };
}
function caller_parseJson(text) {
    try {
        return JSON.parse(text);
    }
    catch {
        return undefined;
    }
}

;// CONCATENATED MODULE: ./lib/service/endpoints.js

const QUICK = { answerMs: 60_000, stallMs: 30_000 };
/** The body may take its time; afterwards the service has to store it. */
const SENDING = { answerMs: 60_000, stallMs: 60_000 };
/** An answer that is not waited for may be a bill without a result: all the time there is. */
const PRECIOUS = { answerMs: 120_000, stallMs: 60_000 };
/** How each request behaves, in one place. */
// biome-ignore format: one endpoint per line reads as the table it is
const ENDPOINTS = {
    uploadUrl: { doing: 'asking for an upload address', method: 'POST', bucket: 'upload', retry: UPLOAD, patience: QUICK },
    uploadDirect: { doing: 'uploading', method: 'POST', bucket: 'upload', retry: TRANSFER, patience: SENDING },
    create: { doing: 'creating the submission', method: 'POST', bucket: 'submission_write', retry: ONCE, patience: PRECIOUS },
    readSubmission: { doing: 'reading the submission', method: 'GET', bucket: 'submission_read', retry: READ, patience: QUICK },
    readAsset: { doing: 'reading an asset', method: 'GET', bucket: 'submission_read', retry: READ, patience: QUICK },
    readIssues: { doing: 'reading the issues', method: 'GET', bucket: 'submission_read', retry: READ, patience: QUICK },
    readTopics: { doing: 'reading the topics', method: 'GET', bucket: 'submission_read', retry: READ_EXTRA, patience: QUICK },
    readVersions: { doing: 'reading the versions', method: 'GET', bucket: 'submission_read', retry: READ_EXTRA, patience: QUICK },
    retryAsset: { doing: 'retrying an asset', method: 'POST', bucket: 'submission_write', retry: RETRY_ASSET, patience: QUICK },
    fire: { doing: 'firing the sandbox event', method: 'POST', bucket: 'sandbox', retry: ONCE, patience: QUICK },
};

;// CONCATENATED MODULE: ./lib/service/file-body.js





/** Small enough that a slow link moves a piece well within a stall's patience, large enough to be fast. */
const PIECE_BYTES = 512 * 1024;
const NOTHING = Buffer.alloc(0);
/** The bytes of a file and nothing else. Throws where it is no longer the file that was inspected. */
async function bytesOf(file) {
    const handle = await openUnchanged(file);
    return {
        headers: { 'content-length': String(file.stamp.size), 'content-type': file.type.mime },
        body: streamed(NOTHING, handle, file, NOTHING),
    };
}
/** The bytes of a file as the part `file` of a form. */
async function formWith(file, filename) {
    const boundary = `gate-${(0,external_node_crypto_.randomUUID)()}`;
    const head = Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${quotable(filename)}"\r\ncontent-type: ${file.type.mime}\r\n\r\n`);
    const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
    const handle = await openUnchanged(file);
    return {
        headers: {
            'content-length': String(head.length + file.stamp.size + tail.length),
            'content-type': `multipart/form-data; boundary=${boundary}`,
        },
        body: streamed(head, handle, file, tail),
    };
}
/**
 * Head, file and tail as one body. Two buffers take turns, so that the next piece is read while one is being sent and no
 * memory is asked for on the way; a small file is one piece, head and tail included.
 */
function streamed(head, handle, file, tail) {
    const { size } = file.stamp;
    const length = head.length + size + tail.length;
    let reading = Promise.resolve(0);
    async function fill(target, from) {
        const wanted = Math.min(target.length, length - from);
        let filled = head.subarray(from).copy(target);
        while (filled < wanted) {
            const position = from + filled - head.length;
            if (position >= size) {
                filled += tail.subarray(position - size).copy(target, filled);
                continue;
            }
            const { bytesRead } = await handle.read(target, filled, Math.min(wanted - filled, size - position), position);
            // Shorter than it was: the rest of what was announced does not exist.
            if (bytesRead === 0)
                throw new GateError(changedProblem(file.path));
            filled += bytesRead;
        }
        return filled;
    }
    async function* pieces() {
        let current = Buffer.allocUnsafeSlow(Math.min(PIECE_BYTES, length));
        let other = Buffer.allocUnsafeSlow(Math.min(PIECE_BYTES, length - current.length));
        reading = fill(current, 0);
        for (let position = 0; position < length;) {
            const filled = await reading;
            position += filled;
            if (position < length) {
                reading = fill(other, position);
                // It is told when its turn comes, which may be never.
                reading.catch(() => undefined);
            }
            yield current.subarray(0, filled);
            [current, other] = [other, current];
        }
    }
    return {
        pieces: pieces(),
        close: async () => {
            // A number of a closed file may be another file's by then.
            await reading.catch(() => undefined);
            await handle.close();
        },
    };
}
/** What is sent must be what was hashed: looked at on the open file, which nobody can exchange any more. */
async function openUnchanged(file) {
    const changed = (cause) => new GateError(changedProblem(file.path), { cause });
    const handle = await (0,promises_.open)(file.absolutePath, external_node_fs_.constants.O_RDONLY | (external_node_fs_.constants.O_NOFOLLOW ?? 0)).catch((error) => {
        throw changed(error);
    });
    const isUnchanged = await handle.stat().then((stats) => isSameStamp(stampOf(stats), file.stamp), () => false);
    if (isUnchanged)
        return handle;
    await handle.close();
    throw changed();
}
/** As browsers do it; our own names need none of it. */
function quotable(filename) {
    return filename.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

;// CONCATENATED MODULE: ./lib/service/client.js





/** How many reads a step has under way at once: more would only meet the rate limit. */
const READS_AT_ONCE = 8;
/** The service, one method for each of its endpoints. The API key goes to its origin and nowhere else. */
class ServiceClient {
    #caller;
    constructor(access, http, userAgent, log) {
        this.#caller = new Caller(access, http, userAgent, log);
    }
    async uploadUrl(filename, contentType, effort) {
        return await this.#caller.ask({
            endpoint: ENDPOINTS.uploadUrl,
            path: '/uploads/url',
            payload: json({ filename, contentType }),
            schema: UploadUrlAnswer,
            effort,
        });
    }
    async uploadDirect(filename, file, effort) {
        return await this.#caller.ask({
            endpoint: ENDPOINTS.uploadDirect,
            path: '/uploads/direct',
            payload: async () => await formWith(file, filename),
            schema: DirectUploadAnswer,
            effort,
        });
    }
    async createSubmission(submission, simulationDelaySeconds, effort) {
        const query = simulationDelaySeconds === undefined ? '' : `?simulationDelaySeconds=${simulationDelaySeconds}`;
        return await this.#caller.ask({
            endpoint: ENDPOINTS.create,
            path: `/submissions${query}`,
            payload: json(submission),
            schema: CreationAnswer,
            effort,
        });
    }
    async readSubmission(submissionId, effort) {
        const answer = await this.#caller.ask({
            endpoint: ENDPOINTS.readSubmission,
            path: submissionPath(submissionId),
            schema: SubmissionAnswer,
            effort,
        });
        if (answer.submissionId !== submissionId)
            throw aboutAnother(ENDPOINTS.readSubmission, 'submissionId');
        return answer;
    }
    async readAsset(submissionId, assetId, effort) {
        const answer = await this.#caller.ask({
            endpoint: ENDPOINTS.readAsset,
            path: assetPath(submissionId, assetId),
            schema: AssetAnswer,
            effort,
        });
        if (answer.assetId !== assetId)
            throw aboutAnother(ENDPOINTS.readAsset, 'assetId');
        if (answer.submissionId && answer.submissionId !== submissionId)
            throw aboutAnother(ENDPOINTS.readAsset, 'submissionId');
        return answer;
    }
    async readIssues(submissionId, assetId, effort) {
        return await this.#caller.ask({
            endpoint: ENDPOINTS.readIssues,
            path: `${assetPath(submissionId, assetId)}/issues`,
            schema: AnyAnswer,
            effort,
        });
    }
    async readTopics(submissionId, assetId, effort) {
        return await this.#caller.ask({
            endpoint: ENDPOINTS.readTopics,
            path: `${assetPath(submissionId, assetId)}/topics`,
            schema: AnyAnswer,
            effort,
        });
    }
    async readVersions(submissionId, effort) {
        return await this.#caller.ask({
            endpoint: ENDPOINTS.readVersions,
            path: `${submissionPath(submissionId)}/versions`,
            schema: AnyAnswer,
            effort,
        });
    }
    async retryAsset(submissionId, assetId, effort) {
        return await this.#caller.ask({
            endpoint: ENDPOINTS.retryAsset,
            path: `${assetPath(submissionId, assetId)}/retry`,
            schema: CreationAnswer,
            effort,
        });
    }
    /** @returns how many subscriptions were told */
    async fireEvent(eventType, submissionId, effort) {
        const answer = await this.#caller.ask({
            endpoint: ENDPOINTS.fire,
            path: '/sandbox/events/fire',
            payload: json({ eventType, submissionId }),
            schema: FireAnswer,
            effort,
        });
        return answer.dispatched;
    }
}
function json(value) {
    return () => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) });
}
/** What is about something else proves nothing about what was asked for. */
function aboutAnother({ doing }, field) {
    return new ServiceError(doing, {
        kind: 'unreadable',
        words: `\`${field}\` is not the one that was asked for`,
        isJson: true,
    });
}
function submissionPath(submissionId) {
    return `/submissions/${encodeURIComponent(submissionId)}`;
}
function assetPath(submissionId, assetId) {
    return `${submissionPath(submissionId)}/assets/${encodeURIComponent(assetId)}`;
}

;// CONCATENATED MODULE: ./lib/service/issue-list.js


const ITEM_KEYS = ['items', 'data', 'results'];
/** The array in an answer: the answer itself, or the value under the expected or a usual key, or the only array there is. */
function arrayIn(answer, key) {
    if (Array.isArray(answer))
        return answer;
    if (typeof answer !== 'object' || answer === null)
        return undefined;
    const entries = new Map(Object.entries(answer));
    for (const name of [key, ...ITEM_KEYS]) {
        const value = entries.get(name);
        if (Array.isArray(value))
            return value;
    }
    const arrays = [...entries.values()].filter((value) => Array.isArray(value));
    return arrays.length === 1 ? arrays[0] : undefined;
}
function issue_list_readList(answer, key, readItem) {
    const array = arrayIn(answer, key);
    if (!array)
        return { items: [], size: undefined };
    return { items: array.map(readItem).filter((item) => item !== undefined), size: array.length };
}
const optionalText = dist/* fallback */.NpB(dist/* optional */.lqM(dist/* string */.YjP()), undefined);
const PrecedentItem = dist/* object */.Ikc({
    url: dist/* fallback */.NpB(dist/* string */.YjP(), ''),
    title: dist/* fallback */.NpB(dist/* string */.YjP(), ''),
    decision: dist/* fallback */.NpB(dist/* string */.YjP(), ''),
    date: dist/* fallback */.NpB(dist/* string */.YjP(), ''),
});
/** An id and a severity are what a verdict needs; everything else only helps a reader. Fields unknown to us are kept. */
const IssueItem = dist/* looseObject */._H3({
    id: dist/* pipe */.FsL(dist/* string */.YjP(), dist/* minLength */.BpQ(1)),
    severity: dist/* fallback */.NpB(dist/* string */.YjP(), ''),
    summary: dist/* fallback */.NpB(dist/* string */.YjP(), ''),
    status: dist/* fallback */.NpB(dist/* string */.YjP(), ''),
    ruleCode: dist/* fallback */.NpB(dist/* string */.YjP(), ''),
    referenceNumber: dist/* fallback */.NpB(dist/* optional */.lqM(dist/* number */.aig()), undefined),
    sidekickId: optionalText,
    severityReasoning: optionalText,
    severityReasoningHeadline: optionalText,
    precedents: dist/* fallback */.NpB(dist/* array */.YOg(dist/* unknown */.L5J()), []),
    createdAt: optionalText,
    updatedAt: optionalText,
});
function readIssues(answer) {
    return issue_list_readList(answer, 'issues', readIssue);
}
function readIssue(item) {
    const parsed = dist/* safeParse */.xLC(IssueItem, item);
    if (!parsed.success)
        return undefined;
    const { severityReasoning, severityReasoningHeadline, precedents, ...issue } = parsed.output;
    return {
        ...issue,
        // A gate fails closed: what we cannot rank is the worst.
        severity: knownSeverity(issue.severity) ?? 'CRITICAL',
        severityAsTold: issue.severity,
        referenceNumber: issue.referenceNumber,
        sidekickId: issue.sidekickId,
        headline: severityReasoningHeadline,
        reasoning: severityReasoning,
        precedents: precedents.map(readPrecedent).filter((precedent) => precedent !== undefined),
        createdAt: issue.createdAt,
        updatedAt: issue.updatedAt,
    };
}
function knownSeverity(told) {
    return SEVERITIES.find((severity) => severity === told.toUpperCase());
}
function readPrecedent(item) {
    const parsed = dist/* safeParse */.xLC(PrecedentItem, item);
    return parsed.success ? parsed.output : undefined;
}
/** The fields inside a topic are not shown: any text that looks like a name, and any list of things with an id. */
function readTopics(answer) {
    return issue_list_readList(answer, 'topics', readTopic);
}
function readTopic(item) {
    if (typeof item !== 'object' || item === null)
        return undefined;
    const entries = new Map(Object.entries(item));
    const title = ['title', 'name', 'headline', 'summary', 'label']
        .map((key) => entries.get(key))
        .find((value) => typeof value === 'string');
    const issueIds = [...entries.values()]
        .filter((value) => Array.isArray(value))
        .flat()
        .map((member) => idOf(member))
        .filter((id) => id !== undefined);
    return title !== undefined && issueIds.length > 0 ? { title, issueIds } : undefined;
}
function idOf(member) {
    if (typeof member === 'string')
        return member;
    if (typeof member !== 'object' || member === null)
        return undefined;
    const entries = new Map(Object.entries(member));
    return ['id', 'issueId'].map((key) => entries.get(key)).find((value) => typeof value === 'string');
}
/** Only how many there are is of use: what a version holds is not shown. */
function countVersions(answer) {
    return arrayIn(answer, 'versions')?.length;
}
/** Joins two lists of the same asset's issues. The first knows more about an issue that both have. */
function joinById(first, second) {
    const joined = new Map(second.map((issue) => [issue.id, issue]));
    for (const issue of first)
        joined.set(issue.id, worseOf(issue, joined.get(issue.id)));
    return [...joined.values()];
}
/** Where two lists disagree about an issue, the worse is believed: a gate fails closed. */
function worseOf(issue, other) {
    if (!other)
        return issue;
    const isWorse = SEVERITIES.indexOf(other.severity) < SEVERITIES.indexOf(issue.severity);
    const { severity, severityAsTold } = isWorse ? other : issue;
    return { ...issue, severity, severityAsTold, status: isClosed(issue.status) ? other.status : issue.status };
}
function isClosed(status) {
    return /^(RESOLVED|DISMISSED)$/i.test(status);
}
/**
 * Whether nothing is missing: as many issues as were told, and as many as either list had items. An item that cannot be
 * read may be anything, so it is missing unless the other list made up for it.
 */
function isWhole(expected, got, lists) {
    return expected !== undefined && got >= expected && lists.every(({ size = 0 }) => got >= size);
}

;// CONCATENATED MODULE: ./lib/service/asset-reader.js


const NOTHING_FOUND = { outcome: 'judged', issues: [], topics: [], cause: undefined };
const NO_LIST = { items: [], size: undefined };
const MOST_VERSION_READS = 20;
/** What only helps a reader is not worth waiting for the end of a rate limit. */
const EXTRA_MS = 15_000;
/** Reads finished assets. What one of them lacks never hides what the others have. */
class AssetReader {
    #mode;
    #client;
    #effort;
    #versionReads = 0;
    /** Once the service is given up, nobody waits for it again. */
    #outage;
    /** Topics and versions only help a reader: where they are not to be had, they are not asked for again. */
    #hasExtras = true;
    constructor(mode, client, effort) {
        this.#mode = mode;
        this.#client = client;
        this.#effort = effort;
    }
    async own({ submissionId, assetId }) {
        return await this.#ask(async () => await this.#client.readAsset(submissionId, assetId, this.#effort));
    }
    /**
     * The list of issues, made whole by the asset's own where it is short.
     *
     * @param count as the submission tells it
     * @param own the asset's own answer, where it was read already
     * @param before how many an earlier run has read: where fewer are told now, both lists are looked at before it is believed
     */
    async findings(ref, count, own, before = 0) {
        const isEmpty = this.#expected(count, own?.issueCount) === 0 && !(own && readIssues(own.issues).size);
        if (isEmpty && before === 0)
            return NOTHING_FOUND;
        const answer = await this.#ask(async () => await this.#client.readIssues(ref.submissionId, ref.assetId, this.#effort));
        const list = answer instanceof ServiceError ? NO_LIST : readIssues(answer);
        const isEnough = own !== undefined || isWhole(this.#expected(count, before || undefined), list.items.length, [list]);
        const second = isEnough ? own : await this.own(ref);
        const hasSecond = second !== undefined && !(second instanceof ServiceError);
        const ownList = hasSecond ? readIssues(second.issues) : NO_LIST;
        const expected = this.#expected(count, hasSecond ? second.issueCount : undefined);
        const issues = joinById(list.items, ownList.items);
        const topics = issues.length >= 2 ? await this.#topics(ref) : [];
        if (isWhole(expected, issues.length, [list, ownList]))
            return { ...NOTHING_FOUND, issues, topics };
        const cause = answer instanceof ServiceError ? explain(answer) : incomplete(expected, issues.length);
        return { outcome: 'unjudged', issues, topics, cause };
    }
    /** How many versions there are, for assets past the first; undefined where it is not worth another request. */
    async versionCount({ submissionId }, versionNumber) {
        if (versionNumber === undefined || versionNumber < 2 || this.#versionReads >= MOST_VERSION_READS)
            return undefined;
        this.#versionReads += 1;
        const answer = await this.#askExtra(async (effort) => await this.#client.readVersions(submissionId, effort));
        return countVersions(answer);
    }
    /** The worst that was told. A sandbox analyses nothing: without a count there are no results to be read. */
    #expected(...counts) {
        const numbers = counts.filter((count) => typeof count === 'number');
        if (numbers.length > 0)
            return Math.max(...numbers);
        return this.#mode === 'sandbox' ? 0 : undefined;
    }
    async #topics({ submissionId, assetId }) {
        const answer = await this.#askExtra(async (effort) => await this.#client.readTopics(submissionId, assetId, effort));
        return readTopics(answer).items;
    }
    async #ask(request) {
        if (this.#outage)
            return this.#outage;
        try {
            return await request();
        }
        catch (error) {
            if (!(error instanceof ServiceError))
                throw error;
            if (error.isOutage || error.endsRun)
                this.#outage = error;
            return error;
        }
    }
    async #askExtra(request) {
        if (this.#outage || !this.#hasExtras)
            return undefined;
        try {
            return await request({ ...this.#effort, until: Math.min(this.#effort.until, Date.now() + EXTRA_MS) });
        }
        catch (error) {
            if (!(error instanceof ServiceError))
                throw error;
            if (error.isOutage || error.endsRun)
                this.#hasExtras = false;
            return undefined;
        }
    }
}
function incomplete(expected, got) {
    const message = expected === undefined
        ? 'The service says that the analysis is complete, but not how many issues it found.'
        : `The service says that there are ${expected} issues, but only ${got} could be read.`;
    const fix = 'An issue may be missing, so the file does not pass. Re-run the job; if it stays, tell the service.';
    return { reason: 'results', message, fix };
}

;// CONCATENATED MODULE: ./lib/service/assign.js

/**
 * Gives each content its asset. The file name that the service gives is the only proof; whatever else the submission
 * holds, or lacks, makes its files unjudged.
 *
 * @param isCutShort the wait ended early, and that one cause says for every file why it has no result
 */
function assign_assign(submission, readings, isCutShort) {
    const { contents } = submission;
    const byName = Map.groupBy(readings, ({ filename }) => filename);
    const nameless = byName.get(undefined) ?? [];
    const unclaimed = contents.filter(({ name }) => !byName.has(name));
    const known = new Set(contents.map(({ name }) => name));
    const foreign = readings.filter(({ filename }) => filename !== undefined && !known.has(filename));
    const results = contents.map((content) => {
        const [first, ...others] = byName.get(content.name) ?? [];
        if (first && others.length > 0)
            return ambiguous(content, [first, ...others], submission);
        if (first)
            return assign_result(content, first);
        // Nothing that could not be read is ever judged, so a guess by elimination can only help to tell which file failed.
        const [leftOver] = nameless;
        if (leftOver && nameless.length === 1 && unclaimed.length === 1)
            return assign_result(content, leftOver);
        if (isCutShort)
            return unread(content, submission);
        const shared = nameless.length >= unclaimed.length ? sharedCause(nameless) : undefined;
        if (shared)
            return { ...unread(content, submission), causes: [about(content, shared)] };
        return { ...unread(content, submission), causes: [assign_missing(content, submission, nameless, foreign)] };
    });
    if (submission.waitsSince === undefined || unclaimed.length > 0 || isCutShort)
        return results;
    const surplus = [...foreign, ...nameless];
    return surplus.length > 0 ? withSurplus(results, submission, surplus) : results;
}
function assign_result(content, { asset, cause, filename: _proof, ...rest }) {
    return {
        content,
        ...rest,
        submissionId: asset.submissionId,
        assetId: asset.assetId,
        retries: asset.retries,
        causes: cause ? [about(content, cause)] : [],
    };
}
/** What all of them found counts, but which of them is the file nobody can say. */
function ambiguous(content, readings, { submissionId }) {
    const issues = readings.map((reading) => reading.issues).reduce(joinById);
    const ids = readings.map(({ asset }) => asset.assetId).join(', ');
    const cause = {
        reason: 'results',
        message: `Submission ${submissionId} has ${readings.length} assets with the name of this file (${ids}), so nobody can say which of them it is.`,
        fix: NOT_PROVEN,
    };
    return { ...assign_result(content, readings[0]), outcome: 'unjudged', issues, causes: [about(content, cause)] };
}
/** Where the same befell all assets without a name, it befell each file that is left over. */
function sharedCause(nameless) {
    const causes = nameless.map(({ cause }) => cause);
    const [first, ...others] = causes;
    return first && others.every((cause) => cause?.reason === first.reason)
        ? { ...first, message: [...new Set(causes.map((cause) => cause?.message))].join(' ') }
        : undefined;
}
const NOT_PROVEN = 'The file was sent, but nothing proves what was found in it, so it does not pass. Re-run the job; if it stays, tell the service.';
function assign_missing(content, { submissionId }, nameless, foreign) {
    const details = [
        `Submission ${submissionId} has no asset that the service names as this file (${content.name}).`,
        ...(foreign.length > 0 ? [`It has others that were never sent: ${assign_namesOf(foreign)}.`] : []),
        ...new Set(nameless.flatMap(({ cause }) => (cause ? [`An asset without a name: ${cause.message}`] : []))),
    ];
    return about(content, { reason: 'results', message: details.join(' '), fix: NOT_PROVEN });
}
/** More assets than were sent: as long as nobody knows what they are, none of the submission's results is trusted. */
function withSurplus(results, { submissionId }, surplus) {
    const cause = {
        reason: 'results',
        message: `Submission ${submissionId} has assets that were never sent: ${assign_namesOf(surplus)}. It may not be this run's submission.`,
        fix: 'What was found in these files cannot be trusted, so they do not pass. Re-run the job; if it stays, tell the service.',
    };
    return results.map((result, index) => ({
        ...result,
        outcome: result.outcome === 'judged' ? 'unjudged' : result.outcome,
        causes: index === 0 ? [cause, ...result.causes] : result.causes,
    }));
}
const MOST_NAMES = 5;
function assign_namesOf(readings) {
    const names = readings.slice(0, MOST_NAMES).map(({ filename, asset }) => filename ?? `asset ${asset.assetId}`);
    return names.join(', ') + (readings.length > MOST_NAMES ? ` and ${readings.length - MOST_NAMES} more` : '');
}
function about(content, cause) {
    const path = content.paths[0];
    return path === undefined ? cause : { ...cause, path };
}
/** A content of which nothing is known, and the reason is told elsewhere. */
function unread(content, { submissionId }) {
    return {
        content,
        outcome: 'unjudged',
        issues: [],
        topics: [],
        submissionId,
        assetId: undefined,
        versionNumber: undefined,
        versionGroupId: undefined,
        versionCount: undefined,
        retries: 0,
        causes: [],
    };
}

;// CONCATENATED MODULE: ./lib/service/track.js
/** How often a complete asset is looked at again before its missing issue count is believed. */
const MOST_LOOKS_WITHOUT_COUNT = 5;
/** How often an asset may be missing from the submission before it counts as lost. */
const MOST_ABSENCES = 5;
const MOST_RETRIES = 2;
/** An asset on its way: where it is, how it does, and what we did about it. */
class Track {
    /** The asset that the submission was created with; the same but for a retry that made a new one. */
    originalAssetId;
    submissionId;
    assetId;
    status;
    state = 'unfinished';
    retries = 0;
    /** Why there was no further retry, where one was asked for; in the words of a `ServiceError`. */
    retryProblem;
    #mayRetry = true;
    /** The retry count at the time of our retry: until it rises, a failed state is the old one. */
    #retryCountBefore;
    /** A retry made a new submission that did not say which of its assets this is. */
    #isMoved = false;
    #looksWithoutCount = 0;
    #absences = 0;
    constructor(submissionId, status) {
        this.originalAssetId = status.assetId;
        this.submissionId = submissionId;
        this.assetId = status.assetId;
        this.status = status;
    }
    get isSettled() {
        return this.state !== 'unfinished';
    }
    /** Takes in what the submission that it is in says about it. */
    observe({ assets }) {
        if (this.#isMoved)
            this.#settleIn(assets);
        const status = assets.find(({ assetId }) => assetId === this.assetId);
        if (!status) {
            this.#absences += 1;
            return;
        }
        this.#absences = 0;
        this.status = status;
        this.state = stateOf(status, this.#retryCountBefore);
        // It left the failed state, or failed anew: what it says from now on is the truth.
        if (!hasFailed(status) || this.state === 'failed')
            this.#retryCountBefore = undefined;
    }
    /** Whether the asset's own resource has to tell what the submission leaves open. */
    get needsOwnAnswer() {
        return this.state === 'unfinished' && this.#retryCountBefore === undefined;
    }
    /**
     * Takes in what the asset's own resource says.
     *
     * @param answer undefined where the service does not have it: it is meant to be read once the asset is complete
     * @param hasCounts false in a sandbox, which analyses nothing and so never has a count to wait for
     */
    observeOwn(answer, hasCounts) {
        if (answer?.status === 'failed') {
            this.state = 'failed';
        }
        else if (answer?.status === 'complete') {
            this.status = { ...this.status, issueCount: this.status.issueCount ?? answer.issueCount };
            this.#looksWithoutCount += 1;
            const isCounted = typeof this.status.issueCount === 'number';
            if (isCounted || !hasCounts || this.#looksWithoutCount > MOST_LOOKS_WITHOUT_COUNT)
                this.state = 'done';
        }
        else if (!answer && this.#absences > MOST_ABSENCES) {
            this.state = 'lost';
        }
    }
    get wantsRetry() {
        return this.state === 'failed' && this.status.isRetryable && this.#mayRetry && this.retries < MOST_RETRIES;
    }
    /** A retry was accepted: it may go on in another submission. */
    retried({ submissionId, assets }) {
        this.retries += 1;
        this.state = 'unfinished';
        this.#looksWithoutCount = 0;
        if (submissionId === this.submissionId) {
            this.#retryCountBefore = this.status.retryCount;
            return;
        }
        this.submissionId = submissionId;
        this.#isMoved = true;
        this.#settleIn(assets);
    }
    /** There will be no retry: it stays as it is. */
    giveUpRetry(problem) {
        this.#mayRetry = false;
        this.retryProblem = problem;
    }
    /** Which asset of another submission it became; with more than one to choose from, nothing proves it. */
    #settleIn(assets) {
        const [only, ...others] = assets;
        if (!only)
            return;
        this.#isMoved = false;
        if (assets.some(({ assetId }) => assetId === this.assetId))
            return;
        if (others.length === 0) {
            this.assetId = only.assetId;
            return;
        }
        this.state = 'failed';
        this.giveUpRetry(`its retry went into submission ${this.submissionId}, where it cannot be told from other assets`);
    }
}
function hasFailed({ errorType, errorMessage }) {
    return Boolean(errorType) || Boolean(errorMessage);
}
/**
 * The submission's list has no status per asset: its error fields and its count tell, and null is never 0.
 *
 * @param retryCountBefore where a retry was asked for and nothing has shown yet that it began
 */
function stateOf(status, retryCountBefore) {
    if (hasFailed(status)) {
        return retryCountBefore !== undefined && status.retryCount <= retryCountBefore ? 'unfinished' : 'failed';
    }
    return typeof status.issueCount === 'number' ? 'done' : 'unfinished';
}
/** The service's words about a failed asset. */
function errorOf({ errorType, errorMessage }) {
    return [errorType, errorMessage].filter(Boolean).join(': ').replace(/\.$/, '') || 'it gave no reason';
}

;// CONCATENATED MODULE: ./lib/service/collect.js






/** collect → verdict: reads what each asset has, and proves which file it is by the name that the service gives. */
async function collect(waited, mode, client, effort) {
    const { submission, interruptedBy } = waited;
    if (interruptedBy && isHopeless(interruptedBy))
        return submission.contents.map((content) => unread(content, submission));
    const reader = new AssetReader(mode, client, effort);
    const readings = await concurrently(waited.assets, READS_AT_ONCE, async (asset) => await collect_read(asset, reader));
    return assign_assign(submission, readings, interruptedBy !== undefined);
}
/** A service that was given up, or that refused the key, is not asked for every asset again. */
function isHopeless({ reason }) {
    return reason !== 'timeout' && reason !== 'results';
}
async function collect_read(asset, reader) {
    const own = await reader.own(asset);
    const answer = own instanceof ServiceError ? undefined : own;
    const versionNumber = asset.status.versionNumber ?? answer?.versionNumber ?? undefined;
    const base = {
        asset,
        filename: answer?.filename,
        issues: [],
        topics: [],
        versionNumber,
        versionGroupId: asset.status.versionGroupId ?? answer?.versionGroupId ?? undefined,
        versionCount: undefined,
    };
    if (asset.state === 'failed' || (asset.state === 'done' && answer?.status === 'failed'))
        return { ...base, outcome: 'failed', cause: failed(asset) };
    if (asset.state === 'unfinished')
        return { ...base, outcome: 'unjudged', cause: undefined };
    if (own instanceof ServiceError)
        return { ...base, outcome: 'unjudged', cause: explain(own) };
    if (own.status !== 'complete')
        return { ...base, outcome: 'unjudged', cause: contradicted(own.status) };
    const findings = await reader.findings(asset, asset.status.issueCount, own);
    return { ...base, ...findings, versionCount: await reader.versionCount(asset, versionNumber) };
}
/** The submission counts its issues as if it were done, and the asset itself says otherwise. */
function contradicted(status) {
    return {
        reason: 'results',
        message: `The service counts the issues of the file, but says that its analysis is ${JSON.stringify(status)}.`,
        fix: 'More issues may come, so the file does not pass. Re-run the job; if it stays, tell the service.',
    };
}
function failed({ status, retries, retryProblem }) {
    const tries = retries === 0 ? '' : ` after ${retries} ${retries === 1 ? 'retry' : 'retries'}`;
    const noMore = retryProblem === undefined ? '' : ` It was not retried${retries > 0 ? ' again' : ''}: ${retryProblem}.`;
    return {
        reason: 'asset-failed',
        message: `The service could not analyse the file${tries}: ${errorOf(status)}.${noMore}`,
        fix: 'Check that the file opens. If it is damaged, replace it and push. If it is intact, re-run the job: only this file is sent again. If it fails once more, ask the support of the service.',
    };
}

;// CONCATENATED MODULE: ./lib/service/metadata.js
/**
 * What the service keeps beside the submission, so that a person there finds the way back to the run.
 *
 * @param given the input `metadata`; `none` sends none, not even ours
 */
function metadataOf(given, { repository, commit, ref, runUrl }) {
    return given === 'none' ? undefined : { repository, commit, ref, runUrl, ...given };
}

;// CONCATENATED MODULE: ./lib/service/sandbox-event.js

/** Fires the synthetic event that a test workflow asked for. It is a test of others: it never changes the verdict. */
async function fireSandboxEvent(event, submissionId, client, log, effort) {
    log.info(`Firing ${event} for submission ${submissionId}: it reaches every active subscription of the workspace`);
    try {
        const dispatched = await client.fireEvent(event, submissionId, effort);
        log.info(`${event}: ${dispatched} dispatched`);
    }
    catch (error) {
        if (!(error instanceof ServiceError))
            throw error;
        log.warning(`The sandbox event was not fired: ${error.message}.`);
    }
}

;// CONCATENATED MODULE: ./lib/service/creation-failure.js

const MOST_CANDIDATES = 20;
/** The statuses that blame a file without saying in which field. */
const ABOUT_SOME_FILE = [403, 413, 415];
/**
 * Why there is no submission, or why nobody knows whether there is one.
 *
 * @param wasStopped the run was told to stop while the request was under way
 */
function explainCreation(error, uploads, wasStopped) {
    const cause = explain(error);
    if (mayHaveArrived(error))
        return [uncertain(cause, uploads, wasStopped)];
    if (ABOUT_SOME_FILE.includes(error.status))
        return blamed(error, cause, uploads);
    const isRefusal = cause.reason === 'refused' || cause.reason === 'bad-input';
    return [isRefusal ? { ...cause, message: `${cause.message} ${sizeOf(uploads)}` } : cause];
}
function mayHaveArrived({ doing, failure, status }) {
    if (doing !== 'creating the submission')
        return false;
    if (failure.kind === 'connection')
        return failure.error.maybeReceived;
    return failure.kind === 'unreadable' || status === 503 || status === 504;
}
function uncertain(cause, uploads, wasStopped) {
    const look = 'Look in the service for a submission of this run before you re-run the job: a second one is paid for, too.';
    return {
        ...cause,
        reason: wasStopped ? 'timeout' : cause.reason,
        message: `${cause.message} The request may have arrived all the same: a submission with ${assetsInWords(uploads.length)} may exist and be billed.`,
        fix: wasStopped ? look : `${look} ${cause.fix}`,
    };
}
/** Where the service names the file, the cause is that file's; otherwise all that it can be are told. */
function blamed({ failure }, cause, uploads) {
    const words = failure.kind === 'status' ? failure.words : '';
    const named = uploads.filter(({ content, blobPath }) => words.includes(content.name) || words.includes(blobPath));
    const guilty = uploads.length === 1 ? uploads : named;
    if (guilty.length > 0)
        return guilty.map(({ content }) => ({ ...cause, path: content.file.path }));
    return [
        {
            ...cause,
            message: `${cause.message} ${sizeOf(uploads)} The service does not say which file it means: it is one of ${candidates(uploads)}.`,
        },
    ];
}
function candidates(uploads) {
    const names = uploads.slice(0, MOST_CANDIDATES).map(({ content }) => content.file.path);
    const more = uploads.length - names.length;
    return names.join(', ') + (more > 0 ? ` and ${more} more` : '');
}
/** A service may limit the number of assets without saying so. */
function sizeOf(uploads) {
    return `The submission held ${assetsInWords(uploads.length)}.`;
}
function assetsInWords(assets) {
    return assets === 1 ? '1 asset' : `${assets} assets`;
}

;// CONCATENATED MODULE: ./lib/service/read-unless-gone.js


/** Long enough for a gateway that is being restarted to know its way again. */
const SECOND_LOOK_MS = 2_000;
/**
 * An earlier submission, or undefined where the service no longer has it. What follows from that costs money or a link
 * between versions, and a gateway says 404, too, when it has lost its way: so it has to be missing twice.
 */
async function readUnlessGone(submissionId, client, effort) {
    const first = await look();
    if (first)
        return first;
    await sleep(SECOND_LOOK_MS, effort.signal);
    return await look();
    async function look() {
        try {
            return await client.readSubmission(submissionId, effort);
        }
        catch (error) {
            if (error instanceof ServiceError && error.status === 404)
                return undefined;
            throw error;
        }
    }
}

;// CONCATENATED MODULE: ./lib/service/submit.js






/** Creates the one submission of this run. It costs credits: nothing here repeats a request that may have arrived. */
async function submit_submit(uploads, options, client, log, effort) {
    refuseSharedPaths(uploads);
    try {
        const { submissionId } = await createLinked(new Set());
        log.info(`Submission ${submissionId} created with ${assetsInWords(uploads.length)}`);
        return { submissionId, contents: uploads.map(({ content }) => content), waitsSince: Date.now() };
    }
    catch (error) {
        if (!(error instanceof ServiceError))
            throw error;
        throw new GateError(explainCreation(error, uploads, effort.signal.aborted), { cause: error });
    }
    /** An earlier version that the service no longer has is no reason to block a merge: it is left out, and told. */
    async function createLinked(gone) {
        const submission = compose(uploads, options, gone);
        try {
            return await createDescribed(submission);
        }
        catch (error) {
            const isLinked = submission.assets.some(({ previousSubmissionId }) => previousSubmissionId !== undefined);
            if (!(error instanceof ServiceError) || error.status !== 404 || !isLinked || gone.size > 0)
                throw error;
            const missing = await findMissing(submission, client, effort);
            if (missing.size === 0)
                throw error;
            log.warning(`The service no longer has the earlier version of some files (${[...missing].join(', ')}): they are sent as first versions.`);
            return await createLinked(missing);
        }
    }
    /** Which keys the service permits in metadata is not known, and that is no reason to block a merge either. */
    async function createDescribed(submission) {
        const { metadata, ...bare } = submission;
        try {
            return await client.createSubmission(submission, options.simulationDelaySeconds, effort);
        }
        catch (error) {
            if (!(error instanceof ServiceError) || error.status !== 422 || !metadata)
                throw error;
            log.warning(`${error.message}. Trying once more without metadata.`);
            return await client.createSubmission(bare, options.simulationDelaySeconds, effort);
        }
    }
}
function compose(uploads, options, gone) {
    const { metadata, sidekickIds, previousSubmissionIds } = options;
    return {
        assets: uploads.map(({ blobPath, content }) => {
            const previousSubmissionId = previousSubmissionIds.get(content.sha256);
            return previousSubmissionId === undefined || gone.has(previousSubmissionId)
                ? { blobPath }
                : { blobPath, previousSubmissionId };
        }),
        ...(sidekickIds && { sidekickIds }),
        ...(metadata && { metadata }),
    };
}
/** The answer to a creation does not say which earlier submission is missing; reading each of them does. */
async function findMissing({ assets }, client, effort) {
    const missing = new Set();
    const ids = new Set(assets.map(({ previousSubmissionId }) => previousSubmissionId).filter((id) => id !== undefined));
    await concurrently([...ids], READS_AT_ONCE, async (id, stop) => {
        const signal = AbortSignal.any([effort.signal, stop]);
        if (!(await readUnlessGone(id, client, { ...effort, signal })))
            missing.add(id);
    });
    return missing;
}
/** One path would be one asset with the bytes of the last upload: the other file would pass unseen. */
function refuseSharedPaths(uploads) {
    const byPath = Map.groupBy(uploads, ({ blobPath }) => blobPath);
    const causes = [...byPath.values()]
        .filter((group) => group.length > 1)
        .map((group) => {
        const names = group.map(({ content }) => content.paths[0]).join(', ');
        return {
            reason: 'refused',
            message: `The service stored different files under one path: ${names}.`,
            fix: 'Nothing was submitted or billed. Tell the service: it must keep different file names apart.',
        };
    });
    if (causes.length > 0)
        throw new GateError(causes);
}

;// CONCATENATED MODULE: ./lib/service/storage.js








/** Storage may think for a while over a large blob before it answers, but not so long that no time is left to try again. */
const PATIENCE = { answerMs: 75_000, stallMs: 60_000 };
/**
 * Sends a file's bytes to the address that the service gave. Storage is not the service: it gets no API key, and its
 * address is a secret of its own that no message may hold.
 */
async function putFile(uploadUrl, file, { http, log, baseUrl }, effort) {
    refuseUnsafe(uploadUrl, baseUrl, file.path);
    const result = await persevere({
        policy: TRANSFER,
        patience: PATIENCE,
        effort,
        attempt: async (patience) => await put(http, uploadUrl, file, patience, effort.signal),
        onRetry: (failure, delayMs) => log.info(`${file.path}: the storage ${describe(failure)}; trying again in ${Math.ceil(delayMs / 1000)} s`),
    });
    if ('value' in result)
        return result.value;
    throw new GateError(explainStorage(result.failure, file.path));
}
async function put(http, url, file, patience, signal) {
    // Read from disk anew for every try: a stream can be sent once.
    const { headers, body } = await bytesOf(file);
    try {
        const answer = await http.send({
            method: 'PUT',
            url,
            headers: { ...headers, 'x-ms-blob-type': 'BlockBlob' },
            body,
            patience,
            signal,
        });
        if (answer.status >= 200 && answer.status < 300)
            return { value: 'stored' };
        if (answer.status === 403)
            return { value: 'expired' };
        return { failure: failureOf(answer) };
    }
    catch (error) {
        if (error instanceof ConnectionError)
            return { failure: { kind: 'connection', error } };
        throw error;
    }
}
/** Of the storage's words only its error code is told: the rest may repeat parts of the signed address. */
function failureOf({ status, text, location, retryAfter }) {
    const words = /<Code>(\w{1,64})<\/Code>/.exec(text)?.[1] ?? '';
    return { kind: 'status', status, words, location, retryAfter };
}
/** Only https, but for a service on this machine: there is no wire to listen on. */
function isSafeTarget(target, baseUrl) {
    return target.protocol === 'https:' || (target.protocol === 'http:' && isLoopback(new URL(baseUrl).hostname));
}
function refuseUnsafe(uploadUrl, baseUrl, path) {
    const target = new URL(uploadUrl);
    if (isSafeTarget(target, baseUrl))
        return;
    throw new GateError({
        reason: 'refused',
        path,
        message: `The service gave an upload address that is not https (${target.protocol}//${target.host}).`,
        fix: 'Nothing was sent to it. Tell the service: somebody on the way could read the file.',
    });
}
function explainStorage(failure, path) {
    const message = `The storage did not take the file: it ${describe(failure)}.`;
    const isOutage = failure.kind === 'connection' || (failure.kind === 'status' && failure.status >= 500);
    const isBusy = failure.kind === 'status' && (failure.status === 429 || failure.status === 408);
    if (!isOutage && !isBusy) {
        return { reason: 'refused', path, message, fix: 'Re-run the job; if it stays, tell the service.' };
    }
    const fix = failure.kind === 'connection'
        ? (failure.error.fix ?? 'Check that the runner may reach the storage (proxy, firewall), then re-run the job.')
        : 'Re-run the job when the storage is well again.';
    return { reason: 'service', path, message, fix: `${fix} ${LET_MERGES_THROUGH}` };
}

;// CONCATENATED MODULE: ./lib/service/upload-queue.js
/**
 * Who sends what next. Large files need bandwidth, small ones wait for answers, so both are under way at the same time:
 * half of the lanes begin with the large ones, the largest first, so that none is left for the end; the others begin
 * with the small ones, which so never queue behind a large one. A lane whose own kind is gone helps the others.
 */
class UploadQueue {
    #large;
    #small;
    #largeLanes;
    /** @param mostBytes of a small file */
    constructor(contents, lanes, mostBytes) {
        this.#large = contents.filter(({ size }) => size > mostBytes).toSorted((a, b) => a.size - b.size);
        this.#small = contents.filter(({ size }) => size <= mostBytes).toReversed();
        this.#largeLanes = Math.ceil(lanes / 2);
    }
    /** @param lane counted from 0 */
    next(lane) {
        const [own, others] = lane < this.#largeLanes ? [this.#large, this.#small] : [this.#small, this.#large];
        return own.pop() ?? others.pop();
    }
}

;// CONCATENATED MODULE: ./lib/service/upload.js







/** 10 MB, read as decimal: what both readings allow goes direct, what only one allows goes the way that always works. */
const DIRECT_UPLOAD_CAP = 10_000_000;
/**
 * Uploads all contents that have to be sent. A file that the service refuses does not keep the others from being tried, so
 * that all refusals are known at once; anything else ends it. One failure means that nothing is submitted.
 */
async function upload(contents, concurrency, edges, effort) {
    const refusals = [];
    const blobPaths = new Map();
    const queue = new UploadQueue(contents, concurrency, DIRECT_UPLOAD_CAP);
    await concurrently(contents, concurrency, async (_, stop, lane) => {
        const content = queue.next(lane);
        if (!content)
            return;
        try {
            const startedAt = Date.now();
            const signal = AbortSignal.any([effort.signal, stop]);
            const { blobPath, way } = await uploadOne(content, edges, { ...effort, signal });
            blobPaths.set(content, blobPath);
            edges.log.info(`[${blobPaths.size}/${contents.length}] ${content.paths[0]}: ${way}, ${sizeAndRate(content.size, Date.now() - startedAt)}`);
        }
        catch (error) {
            const causes = refusalOf(error, content);
            if (!causes)
                throw error;
            refusals.push(...causes);
        }
    });
    if (refusals.length > 0)
        throw new GateError(refusals);
    return contents.map((content) => {
        const blobPath = blobPaths.get(content);
        // A file that is left out here would never be judged.
        if (blobPath === undefined)
            throw new RangeError(`${content.file.path} was not sent`);
        return { content, blobPath };
    });
}
/** The causes where this one file is to blame; undefined where it is the run that cannot go on. */
function refusalOf(error, content) {
    if (error instanceof ServiceError && error.isAboutOneFile)
        return [explain(error, content.paths[0])];
    if (error instanceof GateError && error.causes.every(({ reason }) => reason === 'refused' || reason === 'pre-flight'))
        return error.causes;
    return undefined;
}
async function uploadOne(content, edges, effort) {
    try {
        return content.size <= DIRECT_UPLOAD_CAP
            ? await direct(content, edges, effort)
            : await presigned(content, edges, effort);
    }
    finally {
        // A file that changes while it is sent explains every other failure, and makes a success worthless.
        await assertUnchanged(content.file);
    }
}
async function direct(content, edges, effort) {
    try {
        const { blobPath, sizeBytes } = await edges.client.uploadDirect(content.name, content.file, effort);
        if (sizeBytes === content.size)
            return { blobPath, way: 'direct' };
        throw new GateError({
            reason: 'refused',
            path: content.file.path,
            message: `The service stored ${sizeBytes} bytes of a file of ${content.size}.`,
            fix: 'Nothing was submitted or billed. Re-run the job; if it stays, tell the service.',
        });
    }
    catch (error) {
        // Its cap may be smaller than the document says; the other way has none below the category's.
        if (error instanceof ServiceError && error.status === 413)
            return await presigned(content, edges, effort);
        throw error;
    }
}
async function presigned(content, edges, effort) {
    const { file, name } = content;
    for (const isLastTry of [false, true]) {
        // Asked for just before its use: it expires.
        const { uploadUrl, blobPath } = await edges.client.uploadUrl(name, file.type.mime, effort);
        const outcome = await putFile(uploadUrl, file, edges, effort);
        if (outcome === 'stored')
            return { blobPath, way: 'presigned' };
        if (isLastTry)
            break;
        edges.log.info(`${file.path}: the storage no longer takes the upload address; asking for a new one`);
    }
    throw new GateError({
        reason: 'refused',
        path: file.path,
        message: 'The storage refused two fresh upload addresses of the service (403).',
        fix: 'Check that nothing between the runner and the storage changes requests (proxy), then re-run the job; if it stays, tell the service.',
    });
}
function sizeAndRate(bytes, milliseconds) {
    const seconds = Math.max(milliseconds, 1) / 1000;
    return `${formatBytes(bytes)} in ${seconds.toFixed(1)} s (${formatBytes(Math.round(bytes / seconds))}/s)`;
}

;// CONCATENATED MODULE: ./lib/service/poll-schedule.js
const SHORTEST_MS = 1_000;
/** A line through the looks is believed where none of the newer ones is further off than this, in percent points. */
const STEADY_WITHIN = 2.5;
/** Older looks say little: many analyses begin slowly. */
const NEWER_THAN = 0.3;
/**
 * How long to wait before the next look.
 *
 * Without progress to go by, ½·t^0.65 seconds after t seconds, at least 1 s: 1 s at first, 2 s after 10 s, 7 s after a
 * minute, 33 s after ten, 64 s after half an hour. Where progress has been steady, half-way to the end that it points
 * to, and just behind that end once it is near. Measured by `npm run bench` over 1,000 analyses of 1 s to 30 min: half
 * the requests of a look every 5 s, a sixth where progress is steady, and an end is noticed 3 % late on average.
 */
function nextPoll(waitedMs, looks) {
    const usual = Math.max(SHORTEST_MS, 500 * (waitedMs / 1000) ** 0.65);
    const percent = looks.at(-1)?.percent;
    if (percent === undefined || percent <= 0 || percent >= 100)
        return usual;
    const remaining = (waitedMs * (100 - percent)) / percent;
    if (!isSteady(looks, percent / waitedMs, waitedMs))
        return Math.max(SHORTEST_MS, Math.min(usual, remaining));
    const isNear = remaining <= waitedMs / 8;
    return Math.max(SHORTEST_MS, isNear ? remaining + waitedMs / 100 : remaining / 2);
}
function isSteady(looks, percentPerMs, waitedMs) {
    const earlier = looks.slice(0, -1).filter(({ atMs }) => atMs > waitedMs * NEWER_THAN);
    return (earlier.length > 0 &&
        earlier.every(({ atMs, percent }) => percent !== undefined && Math.abs(percent - atMs * percentPerMs) <= STEADY_WITHIN));
}

;// CONCATENATED MODULE: ./lib/service/progress.js
/** A log that says nothing for longer looks dead. */
const LONGEST_SILENCE_MS = 5 * 60_000;
/** Tells how a wait goes: each change, and a sign of life now and then. */
class Progress {
    #submissionId;
    #log;
    #startedAt;
    #shown = '';
    #shownAt = 0;
    constructor(submissionId, startedAt, log) {
        this.#submissionId = submissionId;
        this.#startedAt = startedAt;
        this.#log = log;
    }
    /** What was told last. */
    get last() {
        return this.#shown;
    }
    tell(standing, now = Date.now()) {
        const words = progress_inWords(standing);
        if (words === this.#shown && now - this.#shownAt < LONGEST_SILENCE_MS)
            return;
        this.#shown = words;
        this.#shownAt = now;
        this.#log.info(`Submission ${this.#submissionId}: ${words} (after ${duration(now - this.#startedAt)})`);
    }
}
function progress_inWords({ status, percent, settled, assets }) {
    const parts = [status];
    if (typeof percent === 'number' && status !== 'complete' && status !== 'failed')
        parts.push(`${percent} %`);
    if (assets > 0)
        parts.push(`${settled} of ${assets} assets finished`);
    return parts.join(', ');
}
function duration(milliseconds) {
    const seconds = Math.max(0, Math.round(milliseconds / 1000));
    return seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

;// CONCATENATED MODULE: ./lib/service/wait.js







/** How often something may be missing that was created a moment ago, before it is believed. */
const MOST_LOOKS_FOR_MISSING = 5;
/** Polls one submission until every asset is done or failed, retries what may be retried, and gives up at the time limit. */
async function wait(submission, options, client, log) {
    const watch = new Watch(submission, options, client, log);
    return await watch.untilSettled();
}
class Watch {
    #submission;
    #options;
    #client;
    #log;
    #startedAt;
    #effort;
    #progress;
    /** By the id that the submission was created with. */
    #tracks = new Map();
    #status = 'unknown';
    #percent;
    #looks = [];
    #missesInARow = 0;
    #shortLooks = 0;
    constructor(submission, options, client, log) {
        this.#submission = submission;
        this.#options = options;
        this.#client = client;
        this.#log = log;
        this.#startedAt = submission.waitsSince ?? Date.now();
        this.#effort = { signal: options.signal, until: this.#startedAt + options.timeoutMinutes * 60_000 };
        this.#progress = new Progress(submission.submissionId, this.#startedAt, log);
    }
    async untilSettled() {
        try {
            while (!(await this.#look())) {
                const left = this.#effort.until - Date.now();
                if (left <= 0)
                    return this.#end(this.#timeout());
                const waited = Date.now() - this.#startedAt;
                this.#looks.push({ atMs: waited, percent: this.#percent ?? undefined });
                const delay = Math.min(left, LONGEST_SILENCE_MS, nextPoll(waited, this.#looks));
                await sleep(delay, this.#options.signal);
            }
            return this.#end(this.#contradiction());
        }
        catch (error) {
            if (error instanceof ServiceError)
                return this.#end(this.#givenUp(error));
            throw error;
        }
    }
    /** @returns true once there is nothing left to wait for */
    async #look() {
        const isOver = await this.#readAll();
        this.#tell();
        if (!isOver)
            return false;
        if (this.#isShort())
            return false;
        await concurrently([...this.#tracks.values()], READS_AT_ONCE, async (track) => await this.#settle(track));
        return [...this.#tracks.values()].every(({ isSettled }) => isSettled);
    }
    /** @returns true where each submission that holds one of our assets says that it is over */
    async #readAll() {
        const ids = new Set([
            this.#submission.submissionId,
            ...[...this.#tracks.values()].map(({ submissionId }) => submissionId),
        ]);
        let isOver = true;
        for (const id of ids) {
            const answer = await this.#read(id);
            isOver &&= answer !== undefined && isTerminal(answer.status);
        }
        return isOver;
    }
    /** Undefined where the service does not have it yet: a read may come sooner than what was written a moment ago. */
    async #read(submissionId) {
        try {
            const answer = await this.#client.readSubmission(submissionId, this.#effort);
            this.#missesInARow = 0;
            this.#note(submissionId, answer);
            return answer;
        }
        catch (error) {
            if (!(error instanceof ServiceError) || error.status !== 404)
                throw error;
            this.#missesInARow += 1;
            if (this.#missesInARow > MOST_LOOKS_FOR_MISSING)
                throw error;
            return undefined;
        }
    }
    /** Fewer assets than files: the list may still grow, but not for ever. */
    #isShort() {
        if (this.#tracks.size >= this.#submission.contents.length)
            return false;
        this.#shortLooks += 1;
        return this.#shortLooks <= MOST_LOOKS_FOR_MISSING;
    }
    #note(submissionId, answer) {
        if (submissionId === this.#submission.submissionId) {
            this.#status = answer.status;
            this.#percent = answer.progressPercent;
            for (const status of answer.assets) {
                if (!this.#tracks.has(status.assetId))
                    this.#tracks.set(status.assetId, new Track(submissionId, status));
            }
        }
        for (const track of this.#tracks.values())
            if (track.submissionId === submissionId)
                track.observe(answer);
    }
    /** Decides what the submission's own status leaves open, and retries what failed. */
    async #settle(track) {
        if (track.needsOwnAnswer)
            track.observeOwn(await this.#readAsset(track), this.#options.mode === 'live');
        if (track.wantsRetry)
            await this.#retry(track);
    }
    async #readAsset({ submissionId, assetId }) {
        try {
            return await this.#client.readAsset(submissionId, assetId, this.#effort);
        }
        catch (error) {
            if (error instanceof ServiceError && error.status === 404)
                return undefined;
            throw error;
        }
    }
    /** What becomes of one asset's retry must not end the wait for the others. */
    async #retry(track) {
        const problem = errorOf(track.status);
        try {
            track.retried(await this.#client.retryAsset(track.submissionId, track.assetId, this.#effort));
            this.#log.info(`Asset ${track.originalAssetId} failed (${problem}); retry ${track.retries} was accepted`);
        }
        catch (error) {
            if (!(error instanceof ServiceError) || error.endsRun)
                throw error;
            const isConflict = error.status === 409;
            if (isConflict && (await this.#isRetryInFlight(track)))
                return;
            track.giveUpRetry(error.message);
        }
    }
    /** 409 can mean that a retry is under way already, or that there will never be one. Only the submission itself tells. */
    async #isRetryInFlight(track) {
        const { retryCount } = track.status;
        const answer = await this.#read(track.submissionId);
        if (!answer)
            return false;
        return !isTerminal(answer.status) || track.state !== 'failed' || track.status.retryCount > retryCount;
    }
    #tell() {
        const tracks = [...this.#tracks.values()];
        const settled = tracks.filter(({ isSettled }) => isSettled).length;
        this.#progress.tell({ status: this.#status, percent: this.#percent, settled, assets: tracks.length });
    }
    /** The submission has failed, it says, but nothing in it has: then what it says of the rest is not to be trusted either. */
    #contradiction() {
        const tracks = [...this.#tracks.values()];
        const isExplained = tracks.some(({ state, retries }) => state === 'failed' || retries > 0);
        if (this.#status !== 'failed' || isExplained)
            return undefined;
        return {
            reason: 'results',
            message: `Submission ${this.#submission.submissionId} has failed, but the service names no asset that has.`,
            fix: 'One of the files may not have been analysed, so none passes. Re-run the job; if it stays, tell the service.',
        };
    }
    #end(interruptedBy) {
        return { submission: this.#submission, status: this.#status, assets: [...this.#tracks.values()], interruptedBy };
    }
    #givenUp(error) {
        const cause = explain(error);
        if (!error.isOutage && !error.endsRun)
            return cause;
        const { submissionId } = this.#submission;
        return {
            ...cause,
            message: `${cause.message} Submission ${submissionId} goes on without us; a re-run waits for it and sends nothing again.`,
        };
    }
    #timeout() {
        const { submissionId } = this.#submission;
        return {
            reason: 'timeout',
            message: `Submission ${submissionId} was not finished after ${this.#options.timeoutMinutes} minutes (${this.#progress.last}).`,
            fix: 'The analysis goes on at the service. Re-run the job later: where state is kept, it goes on waiting for this submission and sends nothing again. If analyses usually take this long, raise `wait-timeout-minutes`.',
        };
    }
}
function isTerminal(status) {
    return status === 'complete' || status === 'failed';
}

// EXTERNAL MODULE: external "node:zlib"
var external_node_zlib_ = __nccwpck_require__(38522);
;// CONCATENATED MODULE: ./lib/state/archive.js

/** Far more than a state of ten thousand files takes. */
const LARGEST_STATE = 64 * 1024 * 1024;
const STATE_FILE = 'state.json';
/**
 * The state in the zip archive of an artifact, or undefined. Nothing is written to disk, only the entry of exactly this
 * name is unpacked, and never more of it than a state may have, whatever the archive says about its size.
 */
function stateIn(archive) {
    const zip = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength);
    try {
        const [entry, ...others] = entriesOf(zip).filter(({ name }) => name === STATE_FILE);
        return entry && others.length === 0 ? unpack(zip, entry) : undefined;
    }
    catch {
        // Offsets that lead out of the archive, and bytes that do not inflate.
        return undefined;
    }
}
const END = { signature: 0x06054b50, size: 22, longestComment: 0xffff };
const CENTRAL = { signature: 0x02014b50, size: 46 };
const LOCAL = { signature: 0x04034b50, size: 30 };
/** From the directory at the end: a streamed archive does not tell sizes before its data. */
function entriesOf(zip) {
    const end = findEnd(zip);
    if (end === undefined)
        return [];
    const entries = [];
    let at = zip.readUInt32LE(end + 16);
    for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
        if (zip.readUInt32LE(at) !== CENTRAL.signature)
            return [];
        const nameLength = zip.readUInt16LE(at + 28);
        entries.push({
            name: zip.toString('utf8', at + CENTRAL.size, at + CENTRAL.size + nameLength),
            method: zip.readUInt16LE(at + 10),
            packedSize: zip.readUInt32LE(at + 20),
            offset: zip.readUInt32LE(at + 42),
        });
        at += CENTRAL.size + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
    }
    return entries;
}
function findEnd(zip) {
    const first = Math.max(0, zip.length - END.size - END.longestComment);
    for (let at = zip.length - END.size; at >= first; at -= 1)
        if (zip.readUInt32LE(at) === END.signature)
            return at;
    return undefined;
}
const STORED = 0;
const DEFLATED = 8;
function unpack(zip, { method, packedSize, offset }) {
    if (zip.readUInt32LE(offset) !== LOCAL.signature)
        return undefined;
    const start = offset + LOCAL.size + zip.readUInt16LE(offset + 26) + zip.readUInt16LE(offset + 28);
    if (start + packedSize > zip.length)
        return undefined;
    const packed = zip.subarray(start, start + packedSize);
    if (method === STORED)
        return packed.length <= LARGEST_STATE ? packed : undefined;
    return method === DEFLATED ? (0,external_node_zlib_.inflateRawSync)(packed, { maxOutputLength: LARGEST_STATE }) : undefined;
}

;// CONCATENATED MODULE: ./lib/state/bound.js
/** Half of what a reader takes: sealing a text adds to it. */
const MOST_BYTES = 32 * 1024 * 1024;
/** A state that no reader would take is worth nothing: what was analysed longest ago is forgotten first. */
function bounded(document, mostBytes = MOST_BYTES) {
    let kept = document;
    while (Buffer.byteLength(JSON.stringify(kept)) > mostBytes && kept.contents.length > 0)
        kept = withoutOldest(kept);
    return kept;
}
function withoutOldest(document) {
    const newestFirst = document.contents.toSorted((a, b) => (a.analysedAt < b.analysedAt ? 1 : -1));
    const contents = newestFirst.slice(0, Math.floor((newestFirst.length * 3) / 4));
    const known = new Set(contents.map(({ sha256 }) => sha256));
    return { ...document, contents, paths: document.paths.filter(({ sha256 }) => known.has(sha256)) };
}

;// CONCATENATED MODULE: ./lib/state/lines.js
/**
 * States belong to lines of history. The runs of a pull request and those of its branch are two lines: only the second
 * can be what another pull request is compared with.
 */
function lines_lineOf({ branch, pullRequest }) {
    return pullRequest ? pullLine(branch) : branchLine(branch);
}
function branchLine(branch) {
    return `branch:${branch}`;
}
function pullLine(branch) {
    return `pull:${branch}`;
}
/** "of the branch main", "of the pull request from feature". */
function lineInWords(line) {
    return line.startsWith('pull:')
        ? `of the pull request from ${line.slice('pull:'.length)}`
        : `of the branch ${line.slice('branch:'.length)}`;
}
/** @param merged the branch of the pull request that this run checks the merge of */
function usefulLines(context, merged) {
    const { branch, baseBranch, defaultBranch, runAttempt } = context;
    // The branch of a merge queue is a new one every time.
    const isNew = branch.startsWith('gh-readonly-queue/') && runAttempt === 1;
    return {
        own: isNew ? undefined : lines_lineOf(context),
        near: merged === undefined ? twin(context) : pullLine(merged),
        base: baseBranch === undefined ? undefined : branchLine(baseBranch),
        default: defaultBranch === undefined ? undefined : branchLine(defaultBranch),
    };
}
function twin({ branch, defaultBranch, pullRequest }) {
    if (pullRequest)
        return branchLine(branch);
    const hasPullRequest = branch !== defaultBranch && !/^(refs|gh-readonly-queue)\//.test(branch);
    return hasPullRequest ? pullLine(branch) : undefined;
}
/** Whether GitHub has to be asked which pull request this run checks the merge of. */
function isMerge({ queuedPullRequest, event }) {
    return queuedPullRequest !== undefined || event === 'push';
}
/** The branch of that pull request: a squash merge is a new commit, but not new media. */
async function mergedBranch({ queuedPullRequest, commit }, api) {
    if (queuedPullRequest !== undefined)
        return (await api.pullRequest(queuedPullRequest)).branch;
    return (await api.pullRequestsOf(commit)).find(({ isMerged }) => isMerged)?.branch;
}

;// CONCATENATED MODULE: ./lib/state/refusal.js
/** One notice for each way in which a state is not taken, with what to do. `where` fits behind "The state". */
function refusalNotice(refusal, where) {
    switch (refusal) {
        case 'unreadable':
            return `The state ${where} is damaged, too large or of another version of this action. It was ignored, and files are sent again once.`;
        case 'other-key':
            return `The state ${where} was signed with another key, so files are sent again once. If the API key was changed, set \`state-key\` to keep the state over the next change.`;
        case 'forged':
            return `The state ${where} is not ours: its signature is wrong. It was ignored. Find out who wrote it; somebody may have tampered with it.`;
        case 'other-mode':
            return `The state ${where} belongs to the other kind of API key: sandbox and live never share what they know. It was ignored.`;
        case 'other-repository':
            return `The state ${where} is not ours: it belongs to another repository. It was ignored.`;
        case 'other-gate':
            return `The state ${where} belongs to another gate (name, workflow, job, step or matrix leg). It was ignored. Give each gate a state of its own.`;
        case 'other-run':
        case 'other-line':
        case 'other-kind':
            return `The state ${where} is not ours: it was copied there from another run or branch. It was ignored. Find out who did so.`;
    }
}

;// CONCATENATED MODULE: ./lib/state/document.js


/**
 * What one run leaves for the next. Lists instead of objects with outside keys, so that no path or hash can be a name
 * that means something to JavaScript.
 */
const Sha256 = dist/* pipe */.FsL(dist/* string */.YjP(), dist/* regex */.yGV(/^[0-9a-f]{64}$/));
const Time = dist/* pipe */.FsL(dist/* string */.YjP(), dist/* isoTimestamp */.yhX());
const Count = dist/* optional */.lqM(dist/* pipe */.FsL(dist/* number */.aig(), dist/* integer */.ndf(), dist/* minValue */.Wwf(0)));
/** As much of an issue as a later verdict or comparison needs; what only people read is not kept. */
const RememberedIssue = dist/* pipe */.FsL(dist/* object */.Ikc({
    id: dist/* string */.YjP(),
    severity: dist/* picklist */.KIO(SEVERITIES),
    severityAsTold: dist/* string */.YjP(),
    status: dist/* string */.YjP(),
    ruleCode: dist/* string */.YjP(),
    summary: dist/* string */.YjP(),
    headline: dist/* optional */.lqM(dist/* string */.YjP()),
    // JSON has no infinity.
    referenceNumber: dist/* nullish */.cl6(dist/* number */.aig()),
    sidekickId: dist/* optional */.lqM(dist/* string */.YjP()),
}), dist/* transform */.pdi(({ headline, referenceNumber, sidekickId, ...rest }) => ({
    ...rest,
    headline,
    referenceNumber: referenceNumber ?? undefined,
    sidekickId,
    reasoning: undefined,
    precedents: [],
    createdAt: undefined,
    updatedAt: undefined,
})));
/** A content that was analysed. */
const KnownContent = dist/* object */.Ikc({
    sha256: Sha256,
    submissionId: dist/* string */.YjP(),
    assetId: dist/* string */.YjP(),
    analysedAt: Time,
    /** Which sidekicks looked at it. */
    settings: dist/* string */.YjP(),
    versionGroupId: dist/* optional */.lqM(dist/* string */.YjP()),
    versionNumber: Count,
    issues: dist/* array */.YOg(RememberedIssue),
});
/** What a path last held. */
const KnownPath = dist/* object */.Ikc({
    path: dist/* string */.YjP(),
    sha256: Sha256,
    submissionId: dist/* string */.YjP(),
    seenAt: Time,
    /** Whether the run that saved this found the path. Only then is it part of what its branch holds. */
    isPresent: dist/* boolean */.zMY(),
});
/** A submission that was created and, as far as we know, not finished. */
const OpenRecord = dist/* object */.Ikc({
    submissionId: dist/* string */.YjP(),
    createdAt: Time,
    settings: dist/* string */.YjP(),
    contents: dist/* array */.YOg(dist/* object */.Ikc({ sha256: Sha256, name: dist/* string */.YjP() })),
});
const StateDocument = dist/* object */.Ikc({
    contents: dist/* array */.YOg(KnownContent),
    paths: dist/* array */.YOg(KnownPath),
    open: dist/* array */.YOg(OpenRecord),
});

;// CONCATENATED MODULE: ./lib/state/seal.js



/** Where a state belongs. Signed with it, so that a state cannot be moved to another place. */
const Binding = dist/* object */.Ikc({
    repositoryId: dist/* string */.YjP(),
    /** Hash of the gate: its name, workflow, job, step and matrix leg. */
    gate: dist/* string */.YjP(),
    runId: dist/* string */.YjP(),
    /** Whose history it continues: `branch:main`, or `pull:feature` for the pull request of that branch. */
    line: dist/* string */.YjP(),
    event: dist/* string */.YjP(),
    mode: dist/* picklist */.KIO(['live', 'sandbox']),
    /** `open`: only what was just submitted. `state`: everything. */
    kind: dist/* picklist */.KIO(['open', 'state']),
    savedAt: dist/* pipe */.FsL(dist/* string */.YjP(), dist/* isoTimestamp */.yhX()),
});
const FORMAT = 'media-compliance-gate/state/1';
const Envelope = dist/* object */.Ikc({
    format: dist/* literal */.euz(FORMAT),
    /** Names the signing key without telling anything about it. */
    keyId: dist/* string */.YjP(),
    signature: dist/* pipe */.FsL(dist/* string */.YjP(), dist/* regex */.yGV(/^[0-9a-f]{64}$/)),
    /** JSON as text: what is signed is exactly what is parsed. */
    payload: dist/* string */.YjP(),
});
const Payload = dist/* object */.Ikc({ binding: Binding, document: StateDocument });
/** Derived, so that the signature tells nothing about the secret itself. */
function signingKey(secret) {
    const derive = (info, length) => Buffer.from((0,external_node_crypto_.hkdfSync)('sha256', secret, FORMAT, info, length));
    return { id: derive('key id', 8).toString('hex'), bytes: derive('signature', 32) };
}
function seal(document, binding, key) {
    const payload = JSON.stringify({ binding, document });
    return JSON.stringify({ format: FORMAT, keyId: key.id, signature: sign(payload, key), payload });
}
const MISPLACED = [
    ['repositoryId', 'other-repository'],
    ['gate', 'other-gate'],
    ['mode', 'other-mode'],
    ['runId', 'other-run'],
    ['line', 'other-line'],
    ['kind', 'other-kind'],
];
/** Opens a sealed state, if it is ours and belongs here. */
function unseal(bytes, place, key) {
    const envelope = dist/* safeParse */.xLC(Envelope, seal_parseJson(bytes));
    if (!envelope.success)
        return 'unreadable';
    const { keyId, signature, payload } = envelope.output;
    if (keyId !== key.id)
        return 'other-key';
    if (!(0,external_node_crypto_.timingSafeEqual)(Buffer.from(signature, 'hex'), Buffer.from(sign(payload, key), 'hex')))
        return 'forged';
    const parsed = dist/* safeParse */.xLC(Payload, JSON.parse(payload));
    if (!parsed.success)
        return 'unreadable';
    const { binding } = parsed.output;
    const misplaced = MISPLACED.find(([field]) => place[field] !== undefined && place[field] !== binding[field]);
    return misplaced ? misplaced[1] : parsed.output;
}
function sign(payload, key) {
    return (0,external_node_crypto_.createHmac)('sha256', key.bytes).update(payload).digest('hex');
}
/** Undefined where it is not JSON in UTF-8. Bytes that a lenient reader would mend are not what was written. */
function seal_parseJson(bytes) {
    try {
        return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
    }
    catch {
        return undefined;
    }
}

;// CONCATENATED MODULE: ./lib/state/find-states.js






/** Requests to GitHub, all told; retries apart. */
const MOST_REQUESTS = 10;
/** Finds what earlier runs left in artifacts: asks for all lists at once, then downloads the ones that matter most. */
async function findStates(options) {
    const { context, api } = options;
    const notices = new Notices();
    const asksForMerge = isMerge(context);
    const merged = asksForMerge ? await notices.guard(async () => await mergedBranch(context, api)) : undefined;
    const lines = usefulLines(context, merged);
    const queries = queriesFor(lines);
    const listed = await Promise.all(queries.map(async (query) => await list(query, options, notices)));
    const newest = listed.flatMap(([first]) => (first ? [first] : []));
    // A run that began earlier and ended later did not know of the one before it.
    const overtaken = listed.flatMap(([, second]) => (second && second.line === lines.own ? [second] : []));
    const candidates = worthReading([...newest, ...overtaken]);
    const left = MOST_REQUESTS - queries.length - (asksForMerge ? 1 : 0);
    const read = await Promise.all(candidates.slice(0, left).map(async (candidate) => await find_states_open(candidate, options, notices)));
    const states = withoutSettled(read.filter((state) => state !== undefined)).toSorted(byNearness(lines));
    if (states.length === 0)
        notices.addIfNone(FIRST_RUN);
    return { states, notices: notices.all };
}
const FIRST_RUN = 'This is the first run of this gate here, so every file was to be sent. Later runs send only what is new or changed.';
/** What matters most comes first: what this run would pay for again, then what it is compared with. */
function queriesFor({ own, near, base, default: fallback }) {
    const wanted = [
        [own, 'state'],
        [own, 'open'],
        [base, 'state'],
        [near, 'state'],
        [near, 'open'],
        [fallback, 'state'],
    ];
    const queries = new Map();
    for (const [line, kind] of wanted)
        if (line !== undefined)
            queries.set(`${kind} ${line}`, { line, kind });
    return [...queries.values()];
}
/** The newest one of each run, latest first. */
async function list(query, options, notices) {
    const name = artifactName(options.gateName, { ...options.binding, ...query });
    const artifacts = await notices.guard(async () => await options.api.artifacts(name));
    // What a fork's run left is not even downloaded, whatever it is called.
    const ours = artifacts?.filter(({ isOwn }) => isOwn) ?? [];
    const valid = ours
        .filter(({ isExpired }) => !isExpired)
        // By time, since ids of two attempts of one run are in no order.
        .toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
    if (ours.length > 0 && valid.length === 0 && query.kind === 'state')
        notices.add(`The state ${lineInWords(query.line)} has expired: raise \`retention-days\` to keep it longer.`);
    const ofEachRun = valid.filter(({ runId }, at) => valid.findIndex((other) => other.runId === runId) === at);
    return ofEachRun.map((artifact) => ({ ...query, artifact }));
}
/** What a run left open is in its own later state, if it came to that. GitHub tells the time in seconds. */
function worthReading(candidates) {
    return candidates.filter(({ kind, line, artifact: { runId, createdAt } }) => kind === 'state' ||
        !candidates.some((other) => other.kind === 'state' &&
            other.line === line &&
            other.artifact.runId === runId &&
            other.artifact.createdAt > createdAt));
}
/** The same, by the time that the states themselves tell. */
function withoutSettled(states) {
    return states.filter(({ binding: { kind, line, runId, savedAt } }) => kind === 'state' ||
        !states.some(({ binding: other }) => other.kind === 'state' && other.line === line && other.runId === runId && other.savedAt >= savedAt));
}
/** Undefined where it cannot be taken. */
async function find_states_open(candidate, options, notices) {
    const state = await notices.guard(async () => await download(candidate, options));
    if (typeof state !== 'string')
        return state;
    const { line, artifact } = candidate;
    const where = `${lineInWords(line)} (artifact ${artifact.name} of run ${artifact.runId ?? 'unknown'})`;
    notices.add(refusalNotice(state, where));
    return undefined;
}
async function download({ artifact, line, kind }, { api, binding, key }) {
    if (artifact.size > LARGEST_STATE || artifact.runId === undefined)
        return 'unreadable';
    const bytes = stateIn(await api.artifactArchive(artifact.id));
    const { repositoryId, gate, mode } = binding;
    return bytes ? unseal(bytes, { repositoryId, gate, mode, line, kind, runId: artifact.runId }, key) : 'unreadable';
}
function byNearness({ own, near, base }) {
    const order = [own, near, base];
    const rank = ({ binding }) => order.includes(binding.line) ? order.indexOf(binding.line) : order.length;
    // Of one line, the later knows better.
    return (a, b) => rank(a) - rank(b) || (a.binding.savedAt < b.binding.savedAt ? 1 : -1);
}
/** What was not found, and why; each reason once. */
class Notices {
    #all = new Set();
    add(notice) {
        this.#all.add(notice);
    }
    addIfNone(notice) {
        if (this.#all.size === 0)
            this.#all.add(notice);
    }
    /** What GitHub does not answer is done without. */
    async guard(ask) {
        try {
            return await ask();
        }
        catch (error) {
            if (!(error instanceof GitHubError))
                throw error;
            this.add(`The state of earlier runs could not all be read, so files may be sent and paid for again. ${error.message} ${error.fix}`);
            return undefined;
        }
    }
    get all() {
        return [...this.#all];
    }
}

;// CONCATENATED MODULE: ./lib/state/artifact-store.js







/** State in workflow artifacts: two for each gate and line, found again by their exact names. */
function createArtifactStore(options) {
    const { binding, key, gateName, log } = options;
    return {
        load: async () => await findStates(options),
        async save(kind, document) {
            const name = artifactName(gateName, { ...binding, kind });
            const file = external_node_path_.join(options.directory, kind, STATE_FILE);
            // The rest is in the artifact of the run before, and writing less takes less of the time in which all can be lost.
            const kept = kind === 'open' ? { contents: [], paths: [], open: document.open } : bounded(document);
            await (0,promises_.mkdir)(external_node_path_.dirname(file), { recursive: true });
            const sealed = seal(kept, { ...binding, kind, savedAt: new Date().toISOString() }, key);
            await (0,promises_.writeFile)(file, sealed, { flush: true });
            options.onPending(name, file);
            // The client tells every step of it.
            await log.group('Saving the state', async () => await unlessStopped(options.upload(name, file), options.signal));
            options.onUploaded();
            return file;
        },
    };
}
async function unlessStopped(work, signal) {
    const { promise: stopped, reject } = Promise.withResolvers();
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted)
        stop();
    try {
        await Promise.race([work, stopped]);
    }
    finally {
        signal.removeEventListener('abort', stop);
    }
}

;// CONCATENATED MODULE: ./lib/state/file-store.js
var __addDisposableResource = (undefined && undefined.__addDisposableResource) || function (env, value, async) {
    if (value !== null && value !== void 0) {
        if (typeof value !== "object" && typeof value !== "function") throw new TypeError("Object expected.");
        var dispose, inner;
        if (async) {
            if (!Symbol.asyncDispose) throw new TypeError("Symbol.asyncDispose is not defined.");
            dispose = value[Symbol.asyncDispose];
        }
        if (dispose === void 0) {
            if (!Symbol.dispose) throw new TypeError("Symbol.dispose is not defined.");
            dispose = value[Symbol.dispose];
            if (async) inner = dispose;
        }
        if (typeof dispose !== "function") throw new TypeError("Object not disposable.");
        if (inner) dispose = function() { try { inner.call(this); } catch (e) { return Promise.reject(e); } };
        env.stack.push({ value: value, dispose: dispose, async: async });
    }
    else if (async) {
        env.stack.push({ async: true });
    }
    return value;
};
var __disposeResources = (undefined && undefined.__disposeResources) || (function (SuppressedError) {
    return function (env) {
        function fail(e) {
            env.error = env.hasError ? new SuppressedError(e, env.error, "An error was suppressed during disposal.") : e;
            env.hasError = true;
        }
        var r, s = 0;
        function next() {
            while (r = env.stack.pop()) {
                try {
                    if (!r.async && s === 1) return s = 0, env.stack.push(r), Promise.resolve().then(next);
                    if (r.dispose) {
                        var result = r.dispose.call(r.value);
                        if (r.async) return s |= 2, Promise.resolve(result).then(next, function(e) { fail(e); return next(); });
                    }
                    else s |= 1;
                }
                catch (e) {
                    fail(e);
                }
            }
            if (s === 1) return env.hasError ? Promise.reject(env.error) : Promise.resolve();
            if (env.hasError) throw env.error;
        }
        return next();
    };
})(typeof SuppressedError === "function" ? SuppressedError : function (error, suppressed, message) {
    var e = new Error(message);
    return e.name = "SuppressedError", e.error = error, e.suppressed = suppressed, e;
});






/**
 * State in a file that the workflow keeps itself: on GHES, or in other storage. It is one file for all lines; which line's
 * it is depends on what the workflow keeps it by.
 */
function createFileStore(file, binding, key) {
    const where = `in \`state-file\` (${file})`;
    return {
        async load() {
            let bytes;
            try {
                bytes = await readState(file);
            }
            catch (error) {
                const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
                const notice = isMissing
                    ? `There is no state yet ${where}, so every file is to be sent. Later runs send only what is new or changed.`
                    : `The state ${where} cannot be read, so every file is to be sent.`;
                return { states: [], notices: [notice] };
            }
            const { repositoryId, gate, mode } = binding;
            const unsealed = bytes ? unseal(bytes, { repositoryId, gate, mode }, key) : 'unreadable';
            return typeof unsealed === 'string'
                ? { states: [], notices: [refusalNotice(unsealed, where)] }
                : { states: [unsealed], notices: [] };
        },
        /** Always all that is known: the file is written over, and a run that dies after that must not have forgotten it. */
        async save(_kind, document) {
            await (0,promises_.mkdir)(external_node_path_.dirname(file), { recursive: true });
            // Written beside it and renamed: a run that dies in between leaves the old state whole.
            const draft = `${file}.${process.pid}.tmp`;
            const sealed = seal(bounded(document), { ...binding, kind: 'state', savedAt: new Date().toISOString() }, key);
            await (0,promises_.writeFile)(draft, sealed, { flush: true });
            await (0,promises_.rename)(draft, file);
            return file;
        },
    };
}
/** Undefined where it is larger than any state of ours. */
async function readState(file) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const handle = __addDisposableResource(env_1, await (0,promises_.open)(file), true);
        const { size } = await handle.stat();
        return size > LARGEST_STATE ? undefined : await handle.readFile();
    }
    catch (e_1) {
        env_1.error = e_1;
        env_1.hasError = true;
    }
    finally {
        const result_1 = __disposeResources(env_1);
        if (result_1)
            await result_1;
    }
}

// EXTERNAL MODULE: ./lib/state/pending.js
var pending = __nccwpck_require__(79906);
;// CONCATENATED MODULE: ./lib/state/choose-store.js








/** Artifacts where they work, a file where the workflow names one, else nothing, and the reason why. */
function chooseStore(inputs, service, context, { api, runner, signal }) {
    const key = signingKey(inputs.stateKey ?? service.apiKey);
    const place = { ...context, name: inputs.name, matrix: inputs.matrix };
    const gate = gateId(place);
    const { repositoryId, runId, event } = context;
    const binding = { repositoryId, gate, runId, line: lines_lineOf(context), event, mode: service.mode };
    if (inputs.stateFile !== undefined)
        return createFileStore(external_node_path_.resolve(context.workspace, inputs.stateFile), binding, key);
    if (context.isGhes) {
        return noStore('GitHub Enterprise Server has no artifacts of the kind that state is kept in, so every file is sent in every run. Set `state-file` and keep that file between runs.');
    }
    if (!runner.hasArtifacts) {
        return noStore('There is no artifact service here, so every file is sent in every run. Set `state-file` to keep the state in a file.');
    }
    return createArtifactStore({
        gateName: inputs.name,
        binding,
        key,
        context,
        api,
        // A gate of the same name may have run in this job before: its state was read, and is part of this one.
        upload: async (name, file) => await (0,artifacts/* replaceArtifact */.L7)(name, [file], inputs.retentionDays),
        onPending: (name, file) => runner.saveForPost((0,pending/* pendingUpload */.R)(name, file, inputs.retentionDays)),
        onUploaded: () => runner.saveForPost(''),
        // The post step of one gate runs after all main steps: another gate of the job must not have written over its file.
        directory: external_node_path_.join(context.temp || context.workspace, `${inputs.name}-state-${stepId(place)}`),
        signal,
        log: runner.log,
    });
}
function noStore(notice) {
    return { load: async () => ({ states: [], notices: [notice] }), save: async () => '' };
}

;// CONCATENATED MODULE: ./lib/state/confirm.js






/**
 * Reads each earlier submission once, then only the assets that have issues: a finding dismissed in the service turns a
 * re-run green at no cost, and one that was re-opened turns it red.
 */
async function confirm_confirm(plan, mode, client, effort) {
    const reader = new AssetReader(mode, client, effort);
    const { found, gone, silence } = await readSubmissions(plan, client, effort);
    const kept = plan.reuse.filter(({ known }) => !gone.has(known.submissionId));
    const results = await concurrently(kept, READS_AT_ONCE, async (entry) => {
        const answer = found.get(entry.known.submissionId);
        return answer ? await confirmReuse(entry, answer, reader) : confirm_lastKnown(entry);
    });
    const lost = new Map();
    const reused = [];
    let outage = silence;
    for (const [index, entry] of kept.entries()) {
        const result = results[index];
        const unanswered = result?.causes.find(({ reason }) => reason === 'service');
        outage ??= unanswered;
        if (!result)
            lost.set(entry.content.sha256, 'gone from the service');
        else
            reused.push(unanswered ? confirm_lastKnown(entry) : result);
    }
    for (const entry of plan.await) {
        const answer = found.get(entry.submissionId)?.answer;
        if (answer)
            for (const [sha256, loss] of await hopeless(entry, answer, reader))
                lost.set(sha256, loss);
    }
    return { losses: { submissions: gone, contents: lost }, reused, outage };
}
/** What an earlier run read, where the service does not answer now. */
function confirm_lastKnown(entry) {
    return { ...unchanged(entry), outcome: 'judged', issues: entry.known.issues, topics: [], causes: [] };
}
async function readSubmissions({ reuse, await: awaited }, client, effort) {
    const ids = new Set([
        ...reuse.map(({ known }) => known.submissionId),
        ...awaited.map(({ submissionId }) => submissionId),
    ]);
    const found = new Map();
    const gone = new Set();
    let silence;
    await concurrently([...ids], READS_AT_ONCE, async (id, stop) => {
        // Once the service is given up, nobody waits for it again.
        if (silence)
            return;
        try {
            const signal = AbortSignal.any([effort.signal, stop]);
            const answer = await readUnlessGone(id, client, { ...effort, signal });
            if (answer)
                found.set(id, { answer, assets: new Map(answer.assets.map((asset) => [asset.assetId, asset])) });
            else
                gone.add(id);
        }
        catch (error) {
            if (!(error instanceof ServiceError) || !error.isOutage)
                throw error;
            silence = explain(error);
        }
    });
    return { found, gone, silence };
}
/** Undefined where the submission no longer has a sound analysis of the content. */
async function confirmReuse({ content, known }, { assets }, reader) {
    const status = assets.get(known.assetId);
    if (!status || status.errorType || status.errorMessage)
        return undefined;
    const before = known.issues.length;
    const { outcome, issues, topics, cause } = await reader.findings(known, status.issueCount, undefined, before);
    const path = content.paths[0];
    return {
        ...unchanged({ content, known }),
        outcome,
        issues,
        topics,
        causes: cause ? [{ ...cause, ...(path !== undefined && { path }) }] : [],
    };
}
/** Contents that it would be in vain to wait for. */
async function hopeless({ contents, createdAt }, answer, reader) {
    const isOver = answer.status === 'complete' || answer.status === 'failed';
    if (!isOver && !isYounger(createdAt, KEEP_OPEN_DAYS, new Date()))
        return contents.map(({ sha256 }) => [sha256, 'never finished']);
    const failed = answer.assets.filter((asset) => (asset.errorType || asset.errorMessage) && !asset.isRetryable);
    const names = await concurrently(failed, READS_AT_ONCE, async ({ assetId }) => {
        const own = await reader.own({ submissionId: answer.submissionId, assetId });
        return own instanceof ServiceError ? undefined : own.filename;
    });
    return contents.filter(({ name }) => names.includes(name)).map(({ sha256 }) => [sha256, 'failed before']);
}
function unchanged({ content, known }) {
    return {
        content,
        submissionId: known.submissionId,
        assetId: known.assetId,
        versionNumber: known.versionNumber,
        versionGroupId: known.versionGroupId,
        versionCount: undefined,
        retries: 0,
    };
}

;// CONCATENATED MODULE: ./lib/state/describe-plan.js


/** What a dry run prints: what would be sent, how and why, and what would not. */
function describePlan({ submit, reuse, await: awaited }, log) {
    const line = (what, content, why) => log.info(`${what.padEnd(16)} ${formatBytes(content.size).padStart(9)}  ${content.paths.join(', ')} (${why})`);
    for (const { content, why } of submit) {
        line(content.size <= DIRECT_UPLOAD_CAP ? 'send, direct' : 'send, presigned', content, `${content.file.type.mime}; ${why}`);
    }
    for (const { submissionId, contents } of awaited) {
        for (const content of contents)
            line('wait', content, `in submission ${submissionId}`);
    }
    for (const { content, known } of reuse)
        line('reuse', content, `analysed ${known.analysedAt.slice(0, 10)}`);
    const total = submit.reduce((sum, { content }) => sum + content.size, 0);
    log.info(`${submit.length} to send (${formatBytes(total)}), ${reuse.length} to reuse, ${awaited.flatMap(({ contents }) => contents).length} to wait for`);
}

;// CONCATENATED MODULE: ./lib/state/knowledge.js
/** What all states together know, ready to be asked. */
class Knowledge {
    /** By sha256, then by settings: other sidekicks make another analysis of the same bytes. */
    #contents = new Map();
    #paths = new Map();
    #open = new Map();
    /** @param documents nearest first: this run's, this branch's, then the others */
    constructor(documents) {
        for (const document of documents) {
            for (const content of document.contents)
                this.#learn(content);
            // What the nearest state says of a path or a submission is its history here, however old it is.
            for (const path of document.paths)
                if (!this.#paths.has(path.path))
                    this.#paths.set(path.path, path);
            for (const open of document.open) {
                if (!this.#open.has(open.submissionId))
                    this.#open.set(open.submissionId, open);
            }
        }
    }
    #learn(content) {
        const analyses = this.#contents.get(content.sha256) ?? new Map();
        const known = analyses.get(content.settings);
        if (!known || known.analysedAt < content.analysedAt)
            analyses.set(content.settings, content);
        this.#contents.set(content.sha256, analyses);
    }
    /** The latest analysis of a content with these settings. */
    analysis(sha256, settings) {
        return this.#contents.get(sha256)?.get(settings);
    }
    /** The latest analysis of a content, whoever looked at it. */
    content(sha256) {
        const analyses = [...(this.#contents.get(sha256)?.values() ?? [])];
        return analyses.toSorted((a, b) => (a.analysedAt < b.analysedAt ? 1 : -1))[0];
    }
    path(path) {
        return this.#paths.get(path);
    }
    get contents() {
        return [...this.#contents.values()].flatMap((analyses) => [...analyses.values()]);
    }
    get paths() {
        return [...this.#paths.values()];
    }
    get open() {
        return [...this.#open.values()];
    }
}

;// CONCATENATED MODULE: ./lib/state/history.js


const NO_HISTORY = { knowledge: new Knowledge([]), baseline: undefined };
/** Only a pull request and a merge queue have a base to compare with. */
function historyOf({ states }, { baseBranch }) {
    const line = baseBranch === undefined ? undefined : branchLine(baseBranch);
    const base = states.find(({ binding }) => binding.line === line && binding.kind === 'state');
    return {
        knowledge: new Knowledge(states.map(({ document }) => document)),
        baseline: base && new Baseline(base.document),
    };
}
/**
 * The issues of the base branch. A state also carries what other branches and earlier days taught it; none of that is
 * part of what the branch holds, or a file that was turned down in one pull request would be let in by the next.
 */
class Baseline {
    #byPath = new Map();
    #bySha = new Map();
    constructor({ contents, paths }) {
        const analyses = new Map(contents.map((content) => [analysisOf(content), content.issues]));
        for (const path of paths) {
            const issues = path.isPresent ? analyses.get(analysisOf(path)) : undefined;
            if (!issues)
                continue;
            this.#byPath.set(path.path, issues);
            this.#bySha.set(path.sha256, issues);
        }
    }
    /** Of the file at this path; where the base has none, of the same content elsewhere: it may have been renamed. */
    issuesOf(path, sha256) {
        return this.#byPath.get(path) ?? this.#bySha.get(sha256) ?? [];
    }
}
/** The same content may have been analysed more than once, by other sidekicks. */
function analysisOf({ sha256, submissionId }) {
    return `${sha256} ${submissionId}`;
}

;// CONCATENATED MODULE: ./lib/trail.js

function newTrail() {
    return {
        history: NO_HISTORY,
        reused: [],
        waited: [],
        analysed: [],
        skipIsExpected: false,
        stoppedBy: [],
        wasStopped: false,
        stateFile: '',
        notices: [],
    };
}

;// CONCATENATED MODULE: ./lib/version.js
/** The version in package.json; a test keeps them the same. */
const VERSION = '0.1.0';

;// CONCATENATED MODULE: ./lib/run.js

































/**
 * The whole run: inputs → discover → inspect → plan → upload → submit → wait → collect → verdict → report → save.
 * The exit status comes from the verdict alone.
 */
async function run(env, runner, signal) {
    for (const name of SECRET_INPUTS)
        runner.mask(runner.input(name).trim());
    const context = readContext(env);
    const api = createGitHubApi({ ...context, token: runner.input('github-token').trim(), signal });
    const trail = newTrail();
    try {
        await check({ trail, context, runner, api, signal });
    }
    catch (error) {
        trail.wasStopped = signal.aborted;
        trail.stoppedBy = causesOf(error, trail);
    }
    try {
        await publish(buildReport(trail, context), trail, { runner, api, context });
    }
    catch (error) {
        // Whoever reads the outputs must not take their absence for a pass.
        const { reason, message } = defect(error);
        const board = await runner.open();
        board.output('verdict', 'error');
        board.output('reason', reason);
        board.fail(message);
    }
}
async function check(gate) {
    const { trail, context, runner } = gate;
    const inputs = parseInputs((name) => runner.input(name), missingKey(context), {
        workspace: context.workspace,
        windows: process.platform === 'win32',
    });
    trail.inputs = inputs;
    const { service } = inputs;
    if (!service && !inputs.dryRun) {
        trail.skipped = missingKey(context);
        return;
    }
    const inspection = await findFiles(gate, inputs);
    if (!inspection)
        return;
    const store = service && chooseStore(inputs, service, context, gate);
    await recall(gate, inputs, store);
    const planWithout = planner(gate, inputs, inspection);
    trail.plan = planWithout(NO_LOSSES);
    if (!service || !store || inputs.dryRun) {
        describePlan(trail.plan, runner.log);
        trail.notices.push(...problemsOf(trail.plan, inspection, inputs).map(wouldBeRefused));
        trail.skipped = DRY_RUN;
        return;
    }
    const http = createHttp();
    try {
        const desk = openDesk(gate, inputs, service, http);
        const final = await confirmPlan(desk, trail.plan, planWithout);
        refuseProblems(problemsOf(final, inspection, inputs), trail);
        if (trail.outage)
            runner.log.warning(lastKnown(trail.outage, final));
        await send(desk, final, store);
        await receive(desk, final);
        await fireEvent(desk, final);
    }
    finally {
        await http.close();
        await saveState(trail, store, gate);
    }
}
/** discover → inspect. Undefined where there is nothing to check. */
async function findFiles({ trail, context, runner, api, signal }, inputs) {
    const { log } = runner;
    const matched = await discover(inputs.files, context.workspace, { isDefault: inputs.filesAreDefault, signal });
    await assertHeadCheckedOut(matched, context, api);
    const discovery = inputs.onlyChanged ? await onlyChanged(matched, inputs.files, context, api) : matched;
    trail.discovery = discovery;
    trail.notices.push(...discovery.notices);
    log.info(`${plural(discovery.files.length, 'file')} to check`);
    if (discovery.files.length === 0) {
        const isUnchanged = matched.files.length > 0;
        trail.skipped = isUnchanged ? noneChanged(matched.files.length) : noFiles(inputs);
        trail.skipIsExpected = isUnchanged || inputs.ifNoFilesFound === 'ignore';
        return undefined;
    }
    const inspection = await inspect(discovery, { signal });
    trail.notices.push(...inspection.warnings);
    return inspection;
}
/** What earlier runs know, and what a person has accepted. */
async function recall({ trail, context, api }, inputs, store) {
    if (store) {
        const loaded = await store.load();
        trail.history = historyOf(loaded, context);
        trail.notices.push(...loaded.notices);
    }
    if (inputs.failOnIssues === 'new' && !trail.history.baseline)
        trail.notices.push(noBaseline(context));
    if (inputs.waiversFile === undefined)
        return;
    const { waivers, notices } = await findWaivers(inputs.waiversFile, context, api);
    trail.waivers = new Waivers(waivers, new Date());
    trail.notices.push(...notices);
}
function planner({ trail, context }, inputs, inspection) {
    const rules = { ...context, ...inputs, settings: settingsOf(inputs.sidekickIds), now: new Date() };
    return (losses) => plan(inspection.files, inspection.pointers, trail.history.knowledge, losses, rules);
}
function openDesk(gate, inputs, service, http) {
    const userAgent = `media-compliance-gate/${VERSION} (run ${gate.context.runId || 'local'})`;
    const client = new ServiceClient(service, http, userAgent, gate.runner.log);
    const effort = () => ({ signal: gate.signal, until: Date.now() + inputs.waitTimeoutMinutes * 60_000 });
    return { ...gate, inputs, service, http, client, effort };
}
/** Asks the service for what the plan counts on; what is lost has to be sent after all. */
async function confirmPlan({ trail, service, client, effort }, draft, planWithout) {
    const { losses, reused, outage } = await confirm_confirm(draft, service.mode, client, effort());
    const final = planWithout(losses);
    trail.reused = reused;
    trail.plan = final;
    if (outage)
        trail.outage = outage;
    return final;
}
/** What keeps files from being sent, whoever is to blame for it. */
function problemsOf(made, { problems }, { maxFiles }) {
    return [...problems, ...made.unknownPointers.map(pointerProblem), ...tooMany(made, maxFiles)];
}
/** Before the first byte is sent, and with all problems at once. An outage forgives none of them. */
function refuseProblems(problems, { plan: made, outage }) {
    const needsService = made && (made.submit.length > 0 || made.await.length > 0);
    const all = outage && needsService ? [...problems, outage] : problems;
    if (all.length > 0)
        throw new GateError(all);
}
/** upload → submit, and the state is saved at once: from here on something was paid for. */
async function send(desk, { submit: entries }, store) {
    const { trail, inputs, service, context, client, http, effort, runner } = desk;
    const { log } = runner;
    if (entries.length === 0)
        return;
    const contents = entries.map(({ content }) => content);
    const uploads = await log.group(`Uploading ${plural(contents.length, 'file')}`, () => upload(contents, inputs.uploadConcurrency, { client, http, log, baseUrl: service.baseUrl }, effort()));
    const options = {
        ...inputs,
        metadata: metadataOf(inputs.metadata, context),
        previousSubmissionIds: previousSubmissions(entries),
    };
    const submission = await submit_submit(uploads, options, client, log, effort());
    trail.submission = { ...submission, createdAt: new Date().toISOString() };
    await saveOpen(trail, store, log);
}
/** wait → collect, for what this run sent and for what an earlier one did. */
async function receive({ trail, inputs, service, client, effort, runner, signal }, { await: awaited }) {
    const { log } = runner;
    const open = [...(trail.submission ? [trail.submission] : []), ...awaited];
    if (open.length === 0)
        return;
    const options = { mode: service.mode, timeoutMinutes: inputs.waitTimeoutMinutes, signal };
    trail.waited = await log.group('Waiting for the analysis', () => Promise.all(open.map((submission) => wait(submission, options, client, log))));
    const results = await Promise.all(trail.waited.map((waited) => collect(waited, service.mode, client, effort())));
    trail.analysed = results.flat();
}
/** Asked for by a test workflow, which counts on it in every run: where all is reused, for what was sent once. */
async function fireEvent({ trail, inputs: { sandboxEvent }, client, effort, runner }, { await: [awaited], reuse: [reused] }) {
    const id = trail.submission?.submissionId ?? awaited?.submissionId ?? reused?.known.submissionId;
    if (sandboxEvent && id)
        await fireSandboxEvent(sandboxEvent, id, client, runner.log, effort());
}


/***/ }),

/***/ 79906:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   P: () => (/* binding */ uploadPending),
/* harmony export */   R: () => (/* binding */ pendingUpload)
/* harmony export */ });
/* harmony import */ var valibot__WEBPACK_IMPORTED_MODULE_1__ = __nccwpck_require__(77934);
/* harmony import */ var _github_artifacts_js__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(18328);


const PendingUpload = valibot__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({ name: valibot__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(), file: valibot__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(), retentionDays: valibot__WEBPACK_IMPORTED_MODULE_1__/* .optional */ .lqM(valibot__WEBPACK_IMPORTED_MODULE_1__/* .number */ .aig()) });
/** What the post step has to know of an upload that may not come to its end. */
function pendingUpload(name, file, retentionDays) {
    return JSON.stringify({ name, file, retentionDays });
}
/** The post step: makes up for a main step that died between saving its state to disk and uploading it. */
async function uploadPending(saved, log) {
    if (saved === '')
        return;
    try {
        const { name, file, retentionDays } = valibot__WEBPACK_IMPORTED_MODULE_1__/* .parse */ .qgA(PendingUpload, JSON.parse(saved));
        await (0,_github_artifacts_js__WEBPACK_IMPORTED_MODULE_0__/* .replaceArtifact */ .L7)(name, [file], retentionDays);
        log.info('The run ended before it had saved its state; it is saved now, and the next run goes on from there.');
    }
    catch (error) {
        log.warning(`The run ended before it had saved its state, and it cannot be saved now: ${error instanceof Error ? error.message : String(error)}. The next run may send the same files again.`);
    }
}


/***/ }),

/***/ 77934:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   BpQ: () => (/* binding */ minLength),
/* harmony export */   Bqr: () => (/* binding */ trim),
/* harmony export */   BuJ: () => (/* binding */ getDotPath),
/* harmony export */   FsL: () => (/* binding */ pipe),
/* harmony export */   Ikc: () => (/* binding */ object),
/* harmony export */   KCZ: () => (/* binding */ union),
/* harmony export */   KIO: () => (/* binding */ picklist),
/* harmony export */   KJ$: () => (/* binding */ instance),
/* harmony export */   L5J: () => (/* binding */ unknown),
/* harmony export */   NpB: () => (/* binding */ fallback),
/* harmony export */   OZ5: () => (/* binding */ url),
/* harmony export */   Wwf: () => (/* binding */ minValue),
/* harmony export */   YOg: () => (/* binding */ array),
/* harmony export */   YjP: () => (/* binding */ string),
/* harmony export */   _$n: () => (/* binding */ isoDate),
/* harmony export */   _H3: () => (/* binding */ looseObject),
/* harmony export */   aig: () => (/* binding */ number),
/* harmony export */   cl6: () => (/* binding */ nullish),
/* harmony export */   euz: () => (/* binding */ literal),
/* harmony export */   g1P: () => (/* binding */ record),
/* harmony export */   lqM: () => (/* binding */ optional),
/* harmony export */   mee: () => (/* binding */ nullable),
/* harmony export */   ndf: () => (/* binding */ integer),
/* harmony export */   pdi: () => (/* binding */ transform),
/* harmony export */   qgA: () => (/* binding */ parse),
/* harmony export */   xLC: () => (/* binding */ safeParse),
/* harmony export */   yGV: () => (/* binding */ regex),
/* harmony export */   yhX: () => (/* binding */ isoTimestamp),
/* harmony export */   z6Y: () => (/* binding */ check),
/* harmony export */   zMY: () => (/* binding */ boolean)
/* harmony export */ });
/* unused harmony exports BASE64_REGEX, BIC_REGEX, CUID2_REGEX, DECIMAL_REGEX, DIGITS_REGEX, DOMAIN_REGEX, EMAIL_REGEX, EMOJI_REGEX, HEXADECIMAL_REGEX, HEX_COLOR_REGEX, IMEI_REGEX, IPV4_REGEX, IPV6_REGEX, IP_REGEX, ISO_DATE_REGEX, ISO_DATE_TIME_REGEX, ISO_DATE_TIME_SECOND_REGEX, ISO_TIMESTAMP_REGEX, ISO_TIME_REGEX, ISO_TIME_SECOND_REGEX, ISO_WEEK_REGEX, ISRC_REGEX, JWS_COMPACT_REGEX, KSUID_REGEX, MAC48_REGEX, MAC64_REGEX, MAC_REGEX, NANO_ID_REGEX, OCTAL_REGEX, RFC_EMAIL_REGEX, SLUG_REGEX, ULID_REGEX, UUID_REGEX, ValiError, _addIssue, _cloneDataset, _formatCase, _getByteCount, _getCodePointCount, _getGraphemeCount, _getLastMetadata, _getWordCount, _isLuhnAlgo, _isSameValueZero, _isValidObjectKey, _isValueMatch, _joinExpects, _standardSchema, _stringify, any, args, argsAsync, arrayAsync, assert, awaitAsync, base64, bic, bigint, blob, brand, bytes, cache, cacheAsync, checkAsync, checkItems, checkItemsAsync, codePoints, config, creditCard, cuid2, custom, customAsync, date, decimal, deleteGlobalConfig, deleteGlobalMessage, deleteSchemaMessage, deleteSpecificMessage, description, digits, domain, email, emoji, empty, endsWith, entries, entriesFromList, entriesFromObjects, enum, enum_, everyItem, exactOptional, exactOptionalAsync, examples, excludes, fallbackAsync, file, filterItems, findItem, finite, flatten, flavor, forward, forwardAsync, function, function_, getDefault, getDefaults, getDefaultsAsync, getDescription, getExamples, getFallback, getFallbacks, getFallbacksAsync, getGlobalConfig, getGlobalMessage, getMetadata, getSchemaMessage, getSpecificMessage, getTitle, graphemes, gtValue, guard, hash, hexColor, hexadecimal, imei, includes, intersect, intersectAsync, ip, ipv4, ipv6, is, isOfKind, isOfType, isValiError, isbn, isoDateTime, isoDateTimeSecond, isoTime, isoTimeSecond, isoWeek, isrc, jwsCompact, keyof, ksuid, lazy, lazyAsync, length, looseObjectAsync, looseTuple, looseTupleAsync, ltValue, mac, mac48, mac64, map, mapAsync, mapItems, maxBytes, maxCodePoints, maxEntries, maxGraphemes, maxLength, maxSize, maxValue, maxWords, message, metadata, mimeType, minBytes, minCodePoints, minEntries, minGraphemes, minSize, minWords, multipleOf, nan, nanoid, never, nonEmpty, nonNullable, nonNullableAsync, nonNullish, nonNullishAsync, nonOptional, nonOptionalAsync, normalize, notBytes, notCodePoints, notEntries, notGraphemes, notLength, notSize, notValue, notValues, notWords, null, null_, nullableAsync, nullishAsync, objectAsync, objectWithRest, objectWithRestAsync, octal, omit, optionalAsync, parseAsync, parseBoolean, parseJson, parser, parserAsync, partial, partialAsync, partialCheck, partialCheckAsync, pick, pipeAsync, promise, rawCheck, rawCheckAsync, rawTransform, rawTransformAsync, readonly, recordAsync, reduceItems, required, requiredAsync, returns, returnsAsync, rfcEmail, safeInteger, safeParseAsync, safeParser, safeParserAsync, set, setAsync, setGlobalConfig, setGlobalMessage, setSchemaMessage, setSpecificMessage, size, slug, someItem, sortItems, startsWith, strictObject, strictObjectAsync, strictTuple, strictTupleAsync, stringifyJson, summarize, symbol, title, toBigint, toBoolean, toCamelCase, toDate, toKebabCase, toLowerCase, toMaxValue, toMinValue, toNumber, toPascalCase, toSnakeCase, toString, toUpperCase, transformAsync, trimEnd, trimStart, tuple, tupleAsync, tupleWithRest, tupleWithRestAsync, ulid, undefined, undefined_, undefinedable, undefinedableAsync, unionAsync, unwrap, uuid, value, values, variant, variantAsync, void, void_, words */
//#region src/storages/globalConfig/globalConfig.ts
let store$4;
const DEFAULT_CONFIG = {
	lang: void 0,
	message: void 0,
	abortEarly: void 0,
	abortPipeEarly: void 0
};
/**
* Sets the global configuration.
*
* @param config The configuration.
*/
function setGlobalConfig(config$1) {
	store$4 = {
		...store$4,
		...config$1
	};
}
/**
* Returns the global configuration.
*
* @param config The config to merge.
*
* @returns The configuration.
*/
/* @__NO_SIDE_EFFECTS__ */
function getGlobalConfig(config$1) {
	if (!config$1 && !store$4) return DEFAULT_CONFIG;
	return {
		lang: config$1?.lang ?? store$4?.lang,
		message: config$1?.message,
		abortEarly: config$1?.abortEarly ?? store$4?.abortEarly,
		abortPipeEarly: config$1?.abortPipeEarly ?? store$4?.abortPipeEarly
	};
}
/**
* Deletes the global configuration.
*/
function deleteGlobalConfig() {
	store$4 = void 0;
}

//#endregion
//#region src/storages/globalMessage/globalMessage.ts
let store$3;
/**
* Sets a global error message.
*
* @param message The error message.
* @param lang The language of the message.
*/
function setGlobalMessage(message$1, lang) {
	if (!store$3) store$3 = /* @__PURE__ */ new Map();
	store$3.set(lang, message$1);
}
/**
* Returns a global error message.
*
* @param lang The language of the message.
*
* @returns The error message.
*/
/* @__NO_SIDE_EFFECTS__ */
function getGlobalMessage(lang) {
	return store$3?.get(lang);
}
/**
* Deletes a global error message.
*
* @param lang The language of the message.
*/
function deleteGlobalMessage(lang) {
	store$3?.delete(lang);
}

//#endregion
//#region src/storages/schemaMessage/schemaMessage.ts
let store$2;
/**
* Sets a schema error message.
*
* @param message The error message.
* @param lang The language of the message.
*/
function setSchemaMessage(message$1, lang) {
	if (!store$2) store$2 = /* @__PURE__ */ new Map();
	store$2.set(lang, message$1);
}
/**
* Returns a schema error message.
*
* @param lang The language of the message.
*
* @returns The error message.
*/
/* @__NO_SIDE_EFFECTS__ */
function getSchemaMessage(lang) {
	return store$2?.get(lang);
}
/**
* Deletes a schema error message.
*
* @param lang The language of the message.
*/
function deleteSchemaMessage(lang) {
	store$2?.delete(lang);
}

//#endregion
//#region src/storages/specificMessage/specificMessage.ts
let store$1;
/**
* Sets a specific error message.
*
* @param reference The identifier reference.
* @param message The error message.
* @param lang The language of the message.
*/
function setSpecificMessage(reference, message$1, lang) {
	if (!store$1) store$1 = /* @__PURE__ */ new Map();
	if (!store$1.get(reference)) store$1.set(reference, /* @__PURE__ */ new Map());
	store$1.get(reference).set(lang, message$1);
}
/**
* Returns a specific error message.
*
* @param reference The identifier reference.
* @param lang The language of the message.
*
* @returns The error message.
*/
/* @__NO_SIDE_EFFECTS__ */
function getSpecificMessage(reference, lang) {
	return store$1?.get(reference)?.get(lang);
}
/**
* Deletes a specific error message.
*
* @param reference The identifier reference.
* @param lang The language of the message.
*/
function deleteSpecificMessage(reference, lang) {
	store$1?.get(reference)?.delete(lang);
}

//#endregion
//#region src/utils/_stringify/_stringify.ts
/**
* Stringifies an unknown input to a literal or type string.
*
* @param input The unknown input.
*
* @returns A literal or type string.
*
* @internal
*/
/* @__NO_SIDE_EFFECTS__ */
function _stringify(input) {
	const type = typeof input;
	if (type === "string") return `"${input}"`;
	if (type === "number" || type === "bigint" || type === "boolean") return `${input}`;
	if (type === "object" || type === "function") return (input && Object.getPrototypeOf(input)?.constructor?.name) ?? "null";
	return type;
}

//#endregion
//#region src/utils/_addIssue/_addIssue.ts
/**
* Adds an issue to the dataset.
*
* @param context The issue context.
* @param label The issue label.
* @param dataset The input dataset.
* @param config The configuration.
* @param other The optional props.
*
* @internal
*/
function _addIssue(context, label, dataset, config$1, other) {
	const input = other && "input" in other ? other.input : dataset.value;
	const expected = other?.expected ?? context.expects ?? null;
	const received = other?.received ?? /* @__PURE__ */ _stringify(input);
	const issue = {
		kind: context.kind,
		type: context.type,
		input,
		expected,
		received,
		message: `Invalid ${label}: ${expected ? `Expected ${expected} but r` : "R"}eceived ${received}`,
		requirement: context.requirement,
		path: other?.path,
		issues: other?.issues,
		lang: config$1.lang,
		abortEarly: config$1.abortEarly,
		abortPipeEarly: config$1.abortPipeEarly
	};
	const isSchema = context.kind === "schema";
	const message$1 = other?.message ?? context.message ?? /* @__PURE__ */ getSpecificMessage(context.reference, issue.lang) ?? (isSchema ? /* @__PURE__ */ getSchemaMessage(issue.lang) : null) ?? config$1.message ?? /* @__PURE__ */ getGlobalMessage(issue.lang);
	if (message$1 !== void 0) issue.message = typeof message$1 === "function" ? message$1(issue) : message$1;
	if (isSchema) dataset.typed = false;
	if (dataset.issues) dataset.issues.push(issue);
	else dataset.issues = [issue];
}

//#endregion
//#region src/utils/_cloneDataset/_cloneDataset.ts
/**
* Creates a shallow copy of a dataset.
*
* Hint: The `value` is copied by reference, but the `issues` array, its issues
* and their `path` arrays are cloned to avoid reusing mutable dataset state
* across multiple runs. Mutating a returned object or array value can
* therefore affect later cache hits that reuse the same cached output.
*
* @param dataset The output dataset.
*
* @returns The copied output dataset.
*/
/* @__NO_SIDE_EFFECTS__ */
function _cloneDataset(dataset) {
	return {
		typed: dataset.typed,
		value: dataset.value,
		issues: dataset.issues?.map((issue) => ({
			...issue,
			path: issue.path && [...issue.path]
		}))
	};
}

//#endregion
//#region src/utils/_formatCase/_formatCase.ts
/**
* Splits a string into lowercase words and rejoins them with the given
* separator and capitalization rules.
*
* Words are separated by `_`, `-` and ASCII whitespace, as well as by case
* and acronym boundaries. Whether the first or subsequent words are
* capitalized is controlled by `capFirst` and `capRest`.
*
* Hint: Implemented in a single pass that emits directly to the result
* string to avoid an intermediate `string[]` allocation. ASCII chars are
* classified via char codes to skip `.toLowerCase()` and `.toUpperCase()`
* method calls in the common case.
*
* Hint: Digits are treated as a separate character class, so `item2Name`
* yields `item2` and `name` rather than `item`, `2` and `name`.
*
* @param input The input string.
* @param separator The string inserted between words.
* @param capFirst Whether to capitalize the first word.
* @param capRest Whether to capitalize subsequent words.
*
* @returns The formatted string.
*
* @internal
*/
/* @__NO_SIDE_EFFECTS__ */
function _formatCase(input, separator, capFirst, capRest) {
	let result = "";
	let firstWord = true;
	let start = 0;
	let prev = 0;
	let prevPrev = 0;
	const flush = (end) => {
		if (end > start) {
			let word = input.slice(start, end).toLowerCase();
			if (firstWord ? capFirst : capRest) {
				const firstCode = word.charCodeAt(0);
				if (firstCode >= 97 && firstCode <= 122) word = String.fromCharCode(firstCode - 32) + word.slice(1);
				else {
					const charLen = firstCode >= 55296 && firstCode <= 56319 ? 2 : 1;
					word = word.slice(0, charLen).toUpperCase() + word.slice(charLen);
				}
			}
			result += firstWord ? word : separator + word;
			firstWord = false;
		}
	};
	for (let index = 0; index < input.length; index++) {
		const code = input.charCodeAt(index);
		let type;
		if (code === 32 || code === 9 || code === 10 || code === 11 || code === 12 || code === 13 || code === 45 || code === 95) {
			flush(index);
			start = index + 1;
			type = 0;
		} else if (code < 128) type = code >= 65 && code <= 90 ? 1 : code >= 97 && code <= 122 ? 2 : 3;
		else {
			const char = input[index];
			const charLower = char.toLowerCase();
			type = charLower === char.toUpperCase() ? 3 : char === charLower ? 2 : 1;
		}
		if (type === 1 && (prev === 2 || prev === 3) && index > start) {
			flush(index);
			start = index;
		} else if (type === 2 && prev === 1 && prevPrev === 1 && index - 1 > start) {
			flush(index - 1);
			start = index - 1;
		}
		prevPrev = prev;
		prev = type;
	}
	flush(input.length);
	return result;
}

//#endregion
//#region src/utils/_getByteCount/_getByteCount.ts
let textEncoder;
/**
* Returns the byte count of the input.
*
* @param input The input to be measured.
*
* @returns The byte count.
*
* @internal
*/
/* @__NO_SIDE_EFFECTS__ */
function _getByteCount(input) {
	if (!textEncoder) textEncoder = new TextEncoder();
	return textEncoder.encode(input).length;
}

//#endregion
//#region src/utils/_getCodePointCount/_getCodePointCount.ts
/**
* Returns the code point count of the input.
*
* @param input The input to be measured.
*
* @returns The code point count.
*
* @internal
*/
/* @__NO_SIDE_EFFECTS__ */
function _getCodePointCount(input) {
	let count = input.length;
	const lengthMinus1 = input.length - 1;
	for (let i = 0; i < lengthMinus1;) if (input.codePointAt(i) <= 65535) i++;
	else {
		i += 2;
		count--;
	}
	return count;
}

//#endregion
//#region src/utils/_getGraphemeCount/_getGraphemeCount.ts
let segmenter;
/**
* Returns the grapheme count of the input.
*
* @param input The input to be measured.
*
* @returns The grapheme count.
*
* @internal
*/
/* @__NO_SIDE_EFFECTS__ */
function _getGraphemeCount(input) {
	if (!segmenter) segmenter = new Intl.Segmenter();
	const segments = segmenter.segment(input);
	let count = 0;
	for (const _ of segments) count++;
	return count;
}

//#endregion
//#region src/utils/_getLastMetadata/_getLastMetadata.ts
/**
* Returns the last top-level value of a given metadata type from a schema
* using a breadth-first search that starts with the last item in the pipeline.
*
* @param schema The schema to search.
* @param type The metadata type.
*
* @returns The value, if any.
*
* @internal
*/
/* @__NO_SIDE_EFFECTS__ */
function _getLastMetadata(schema, type) {
	if ("pipe" in schema) {
		const nestedSchemas = [];
		for (let index = schema.pipe.length - 1; index >= 0; index--) {
			const item = schema.pipe[index];
			if (item.kind === "schema" && "pipe" in item) nestedSchemas.push(item);
			else if (item.kind === "metadata" && item.type === type) return item[type];
		}
		for (const nestedSchema of nestedSchemas) {
			const result = /* @__PURE__ */ _getLastMetadata(nestedSchema, type);
			if (result !== void 0) return result;
		}
	}
}

//#endregion
//#region src/utils/_getWordCount/_getWordCount.ts
let store;
/**
* Returns the word count of the input.
*
* @param locales The locales to be used.
* @param input The input to be measured.
*
* @returns The word count.
*
* @internal
*/
/* @__NO_SIDE_EFFECTS__ */
function _getWordCount(locales, input) {
	if (!store) store = /* @__PURE__ */ new Map();
	const key = String(locales);
	let segmenter$1 = store.get(key);
	if (!segmenter$1) {
		segmenter$1 = new Intl.Segmenter(locales, { granularity: "word" });
		store.set(key, segmenter$1);
	}
	const segments = segmenter$1.segment(input);
	let count = 0;
	for (const segment of segments) if (segment.isWordLike) count++;
	return count;
}

//#endregion
//#region src/utils/_isLuhnAlgo/_isLuhnAlgo.ts
/**
* Non-digit regex.
*/
const NON_DIGIT_REGEX = /\D/gu;
/**
* Checks whether a string with numbers corresponds to the luhn algorithm.
*
* @param input The input to be checked.
*
* @returns Whether input is valid.
*
* @internal
*/
/* @__NO_SIDE_EFFECTS__ */
function _isLuhnAlgo(input) {
	const number$1 = input.replace(NON_DIGIT_REGEX, "");
	let length$1 = number$1.length;
	let bit = 1;
	let sum = 0;
	while (length$1) {
		const value$1 = +number$1[--length$1];
		bit ^= 1;
		sum += bit ? [
			0,
			2,
			4,
			6,
			8,
			1,
			3,
			5,
			7,
			9
		][value$1] : value$1;
	}
	return sum % 10 === 0;
}

//#endregion
//#region src/utils/_isSameValueZero/_isSameValueZero.ts
/**
* Compares two values using the SameValueZero algorithm, which treats `NaN`
* as equal to itself unlike `===`.
*
* @param value1 The first value.
* @param value2 The second value.
*
* @returns Whether the values are equal.
*
* @internal
*/
/* @__NO_SIDE_EFFECTS__ */
function _isSameValueZero(value1, value2) {
	return value1 === value2 || Number.isNaN(value1) && Number.isNaN(value2);
}

//#endregion
//#region src/utils/_isValidObjectKey/_isValidObjectKey.ts
/**
* Disallows inherited object properties and prevents object prototype
* pollution by disallowing certain keys.
*
* @param object The object to check.
* @param key The key to check.
*
* @returns Whether the key is allowed.
*
* @internal
*/
/* @__NO_SIDE_EFFECTS__ */
function _isValidObjectKey(object$1, key) {
	return Object.prototype.hasOwnProperty.call(object$1, key) && key !== "__proto__" && key !== "prototype" && key !== "constructor";
}

//#endregion
//#region src/utils/_isValueMatch/_isValueMatch.ts
/**
* Checks whether a value matches a value action requirement.
*
* @param requirement The value action requirement.
* @param value The value to check.
*
* @returns Whether the value matches the requirement.
*
* @internal
*/
/* @__NO_SIDE_EFFECTS__ */
function _isValueMatch(requirement, value$1) {
	return Number.isNaN(requirement) && Number.isNaN(value$1) || requirement <= value$1 && requirement >= value$1;
}

//#endregion
//#region src/utils/_joinExpects/_joinExpects.ts
/**
* Joins multiple `expects` values with the given separator.
*
* @param values The `expects` values.
* @param separator The separator.
*
* @returns The joined `expects` property.
*
* @internal
*/
/* @__NO_SIDE_EFFECTS__ */
function _joinExpects(values$1, separator) {
	const list = [...new Set(values$1)];
	if (list.length > 1) return `(${list.join(` ${separator} `)})`;
	return list[0] ?? "never";
}

//#endregion
//#region src/utils/_standardSchema/_standardSchema.ts
/**
* Eagerly creates and attaches the Standard Schema properties of a schema.
*
* Hint: The contextual `this` type includes the standard properties that are
* attached before the schema is returned.
*
* @param schema The schema to attach standard properties to.
*
* @returns The schema with standard properties attached.
*
* @internal
*/
function _standardSchema(schema) {
	schema["~standard"] = {
		version: 1,
		vendor: "valibot",
		validate: (value$1) => schema["~run"]({ value: value$1 }, /* @__PURE__ */ getGlobalConfig())
	};
	return schema;
}

//#endregion
//#region src/utils/entriesFromList/entriesFromList.ts
/**
* Creates an object entries definition from a list of keys and a schema.
*
* @param list A list of keys.
* @param schema The schema of the keys.
*
* @returns The object entries.
*/
/* @__NO_SIDE_EFFECTS__ */
function entriesFromList(list, schema) {
	const entries$1 = {};
	for (const key of list) entries$1[key] = schema;
	return entries$1;
}

//#endregion
//#region src/utils/entriesFromObjects/entriesFromObjects.ts
/* @__NO_SIDE_EFFECTS__ */
function entriesFromObjects(schemas) {
	const entries$1 = {};
	for (const schema of schemas) Object.assign(entries$1, schema.entries);
	return entries$1;
}

//#endregion
//#region src/utils/getDotPath/getDotPath.ts
/* @__NO_SIDE_EFFECTS__ */
function getDotPath(issue) {
	if (issue.path) {
		let key = "";
		for (const item of issue.path) if (typeof item.key === "string" || typeof item.key === "number") if (key) key += `.${item.key}`;
		else key += item.key;
		else return null;
		return key;
	}
	return null;
}

//#endregion
//#region src/utils/isOfKind/isOfKind.ts
/**
* A generic type guard to check the kind of an object.
*
* @param kind The kind to check for.
* @param object The object to check.
*
* @returns Whether it matches.
*/
/* @__NO_SIDE_EFFECTS__ */
function isOfKind(kind, object$1) {
	return object$1.kind === kind;
}

//#endregion
//#region src/utils/isOfType/isOfType.ts
/**
* A generic type guard to check the type of an object.
*
* @param type The type to check for.
* @param object The object to check.
*
* @returns Whether it matches.
*/
/* @__NO_SIDE_EFFECTS__ */
function isOfType(type, object$1) {
	return object$1.type === type;
}

//#endregion
//#region src/utils/ValiError/ValiError.ts
/**
* A Valibot error with useful information.
*/
var ValiError = class extends Error {
	/**
	* Creates a Valibot error with useful information.
	*
	* @param issues The error issues.
	*/
	constructor(issues) {
		super(issues[0].message);
		this.name = "ValiError";
		this.issues = issues;
	}
};

//#endregion
//#region src/utils/isValiError/isValiError.ts
/**
* A type guard to check if an error is a ValiError.
*
* @param error The error to check.
*
* @returns Whether its a ValiError.
*/
/* @__NO_SIDE_EFFECTS__ */
function isValiError(error) {
	return error instanceof ValiError;
}

//#endregion
//#region src/actions/args/args.ts
/* @__NO_SIDE_EFFECTS__ */
function args(schema) {
	return {
		kind: "transformation",
		type: "args",
		reference: args,
		async: false,
		schema,
		"~run"(dataset, config$1) {
			const func = dataset.value;
			dataset.value = (...args_) => {
				const argsDataset = this.schema["~run"]({ value: args_ }, config$1);
				if (argsDataset.issues) throw new ValiError(argsDataset.issues);
				return func(...argsDataset.value);
			};
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/args/argsAsync.ts
/* @__NO_SIDE_EFFECTS__ */
function argsAsync(schema) {
	return {
		kind: "transformation",
		type: "args",
		reference: argsAsync,
		async: false,
		schema,
		"~run"(dataset, config$1) {
			const func = dataset.value;
			dataset.value = async (...args$1) => {
				const argsDataset = await schema["~run"]({ value: args$1 }, config$1);
				if (argsDataset.issues) throw new ValiError(argsDataset.issues);
				return func(...argsDataset.value);
			};
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/await/awaitAsync.ts
/**
* Creates an await transformation action.
*
* @returns An await action.
*/
/* @__NO_SIDE_EFFECTS__ */
function awaitAsync() {
	return {
		kind: "transformation",
		type: "await",
		reference: awaitAsync,
		async: true,
		async "~run"(dataset) {
			dataset.value = await dataset.value;
			return dataset;
		}
	};
}

//#endregion
//#region src/regex.ts
/**
* [Base64](https://en.wikipedia.org/wiki/Base64) regex.
*/
const BASE64_REGEX = /^(?:[\da-z+/]{4})*(?:[\da-z+/]{2}==|[\da-z+/]{3}=)?$/iu;
/**
* [BIC](https://en.wikipedia.org/wiki/ISO_9362) regex.
*/
const BIC_REGEX = /^[A-Z]{6}(?!00)[\dA-Z]{2}(?:[\dA-Z]{3})?$/u;
/**
* [Cuid2](https://github.com/paralleldrive/cuid2) regex.
*/
const CUID2_REGEX = /^[a-z][\da-z]*$/u;
/**
* [Decimal](https://en.wikipedia.org/wiki/Decimal) regex.
*/
const DECIMAL_REGEX = /^[+-]?(?:\d*\.)?\d+$/u;
/**
* [Digits](https://en.wikipedia.org/wiki/Numerical_digit) regex.
*/
const DIGITS_REGEX = /^\d+$/u;
/**
* [Domain name](https://en.wikipedia.org/wiki/Domain_name) regex.
*
* Hint: We decided against the `i` flag for better JSON Schema compatibility.
* ASCII-only validation. Internationalized domain names (IDNs) are not
* supported, including Punycode-encoded labels.
*/
const DOMAIN_REGEX = /^(?=.{1,253}$)(?:(?![Xx][Nn]--)[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$/u;
/**
* [Email address](https://en.wikipedia.org/wiki/Email_address) regex.
*
* Hint: We decided against the `i` flag to avoid matching non-ASCII characters.
*/
const EMAIL_REGEX = /^[\w+-]+(?:\.[\w+-]+)*@[\da-zA-Z]+(?:[.-][\da-zA-Z]+)*\.[a-zA-Z]{2,}$/u;
/**
* Emoji regex from [emoji-regex-xs](https://github.com/slevithan/emoji-regex-xs) v1.0.0 (MIT license).
*
* Hint: We decided against the newer `/^\p{RGI_Emoji}+$/v` regex because it is
* not supported in older runtimes and does not match all emoji.
*/
const EMOJI_REGEX = /^(?:[\u{1F1E6}-\u{1F1FF}]{2}|\u{1F3F4}[\u{E0061}-\u{E007A}]{2}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{1,3}\u{E007F}|(?:\p{Emoji}\uFE0F\u20E3?|\p{Emoji_Modifier_Base}\p{Emoji_Modifier}?|(?![\p{Emoji_Modifier_Base}\u{1F1E6}-\u{1F1FF}])\p{Emoji_Presentation})(?:\u200D(?:\p{Emoji}\uFE0F\u20E3?|\p{Emoji_Modifier_Base}\p{Emoji_Modifier}?|(?![\p{Emoji_Modifier_Base}\u{1F1E6}-\u{1F1FF}])\p{Emoji_Presentation}))*)+$/u;
/**
* [Hexadecimal](https://en.wikipedia.org/wiki/Hexadecimal) regex.
*
* Hint: We decided against the `i` flag for better JSON Schema compatibility.
*/
const HEXADECIMAL_REGEX = /^(?:0[hx])?[\da-fA-F]+$/u;
/**
* [Hex color](https://en.wikipedia.org/wiki/Web_colors#Hex_triplet) regex.
*
* Hint: We decided against the `i` flag for better JSON Schema compatibility.
*/
const HEX_COLOR_REGEX = /^#(?:[\da-fA-F]{3,4}|[\da-fA-F]{6}|[\da-fA-F]{8})$/u;
/**
* [IMEI](https://en.wikipedia.org/wiki/International_Mobile_Equipment_Identity) regex.
*/
const IMEI_REGEX = /^\d{15}$|^\d{2}-\d{6}-\d{6}-\d$/u;
/**
* [IPv4](https://en.wikipedia.org/wiki/IPv4) regex.
*/
const IPV4_REGEX = /^(?:(?:[1-9]|1\d|2[0-4])?\d|25[0-5])(?:\.(?:(?:[1-9]|1\d|2[0-4])?\d|25[0-5])){3}$/u;
/**
* [IPv6](https://en.wikipedia.org/wiki/IPv6) regex.
*/
const IPV6_REGEX = /^(?:(?:[\da-f]{1,4}:){7}[\da-f]{1,4}|(?:[\da-f]{1,4}:){1,7}:|(?:[\da-f]{1,4}:){1,6}:[\da-f]{1,4}|(?:[\da-f]{1,4}:){1,5}(?::[\da-f]{1,4}){1,2}|(?:[\da-f]{1,4}:){1,4}(?::[\da-f]{1,4}){1,3}|(?:[\da-f]{1,4}:){1,3}(?::[\da-f]{1,4}){1,4}|(?:[\da-f]{1,4}:){1,2}(?::[\da-f]{1,4}){1,5}|[\da-f]{1,4}:(?::[\da-f]{1,4}){1,6}|:(?:(?::[\da-f]{1,4}){1,7}|:)|fe80:(?::[\da-f]{0,4}){0,4}%[\da-z]+|::(?:f{4}(?::0{1,4})?:)?(?:(?:25[0-5]|(?:2[0-4]|1?\d)?\d)\.){3}(?:25[0-5]|(?:2[0-4]|1?\d)?\d)|(?:[\da-f]{1,4}:){1,4}:(?:(?:25[0-5]|(?:2[0-4]|1?\d)?\d)\.){3}(?:25[0-5]|(?:2[0-4]|1?\d)?\d))$/iu;
/**
* [IP](https://en.wikipedia.org/wiki/IP_address) regex.
*/
const IP_REGEX = /^(?:(?:[1-9]|1\d|2[0-4])?\d|25[0-5])(?:\.(?:(?:[1-9]|1\d|2[0-4])?\d|25[0-5])){3}$|^(?:(?:[\da-f]{1,4}:){7}[\da-f]{1,4}|(?:[\da-f]{1,4}:){1,7}:|(?:[\da-f]{1,4}:){1,6}:[\da-f]{1,4}|(?:[\da-f]{1,4}:){1,5}(?::[\da-f]{1,4}){1,2}|(?:[\da-f]{1,4}:){1,4}(?::[\da-f]{1,4}){1,3}|(?:[\da-f]{1,4}:){1,3}(?::[\da-f]{1,4}){1,4}|(?:[\da-f]{1,4}:){1,2}(?::[\da-f]{1,4}){1,5}|[\da-f]{1,4}:(?::[\da-f]{1,4}){1,6}|:(?:(?::[\da-f]{1,4}){1,7}|:)|fe80:(?::[\da-f]{0,4}){0,4}%[\da-z]+|::(?:f{4}(?::0{1,4})?:)?(?:(?:25[0-5]|(?:2[0-4]|1?\d)?\d)\.){3}(?:25[0-5]|(?:2[0-4]|1?\d)?\d)|(?:[\da-f]{1,4}:){1,4}:(?:(?:25[0-5]|(?:2[0-4]|1?\d)?\d)\.){3}(?:25[0-5]|(?:2[0-4]|1?\d)?\d))$/iu;
/**
* [ISO 8601](https://en.wikipedia.org/wiki/ISO_8601) date regex.
*/
const ISO_DATE_REGEX = /^\d{4}-(?:0[1-9]|1[0-2])-(?:[12]\d|0[1-9]|3[01])$/u;
/**
* [ISO 8601](https://en.wikipedia.org/wiki/ISO_8601) date-time regex.
*/
const ISO_DATE_TIME_REGEX = /^\d{4}-(?:0[1-9]|1[0-2])-(?:[12]\d|0[1-9]|3[01])[T ](?:0\d|1\d|2[0-3]):[0-5]\d$/u;
/**
* [ISO 8601](https://en.wikipedia.org/wiki/ISO_8601) date-time with seconds regex.
*/
const ISO_DATE_TIME_SECOND_REGEX = /^\d{4}-(?:0[1-9]|1[0-2])-(?:[12]\d|0[1-9]|3[01])[T ](?:0\d|1\d|2[0-3])(?::[0-5]\d){2}$/u;
/**
* [ISO 8601](https://en.wikipedia.org/wiki/ISO_8601) time regex.
*/
const ISO_TIME_REGEX = /^(?:0\d|1\d|2[0-3]):[0-5]\d$/u;
/**
* [ISO 8601](https://en.wikipedia.org/wiki/ISO_8601) time with seconds regex.
*/
const ISO_TIME_SECOND_REGEX = /^(?:0\d|1\d|2[0-3])(?::[0-5]\d){2}$/u;
/**
* [ISO 8601](https://en.wikipedia.org/wiki/ISO_8601) timestamp regex. Allows a
* space as a date/time separator and an optional space before the UTC offset.
*/
const ISO_TIMESTAMP_REGEX = /^\d{4}-(?:0[1-9]|1[0-2])-(?:[12]\d|0[1-9]|3[01])[T ](?:0\d|1\d|2[0-3])(?::[0-5]\d){2}(?:\.\d{1,9})?(?:Z| ?[+-](?:0\d|1\d|2[0-3])(?::?[0-5]\d)?)$/u;
/**
* [ISO 8601](https://en.wikipedia.org/wiki/ISO_8601) week regex.
*/
const ISO_WEEK_REGEX = /^\d{4}-W(?:0[1-9]|[1-4]\d|5[0-3])$/u;
/**
* [JWS compact serialization](https://datatracker.ietf.org/doc/html/rfc7515#section-3.1)
* regex.
*
* Hint: Empty payload and signature segments are allowed because the
* Base64URL-encoded representation of an empty octet sequence is an empty
* string.
*/
const JWS_COMPACT_REGEX = /^(?:[\w-]{2,3}|(?:[\w-]{4})+(?:[\w-]{2,3})?)\.(?:[\w-]{2,3}|(?:[\w-]{4})+(?:[\w-]{2,3})?)?\.(?:[\w-]{2,3}|(?:[\w-]{4})+(?:[\w-]{2,3})?)?$/u;
/**
* [ISRC](https://en.wikipedia.org/wiki/International_Standard_Recording_Code) regex.
*/
const ISRC_REGEX = /^(?:[A-Z]{2}[A-Z\d]{3}\d{7}|[A-Z]{2}-[A-Z\d]{3}-\d{2}-\d{5})$/u;
/**
* [KSUID](https://github.com/segmentio/ksuid) regex.
*/
const KSUID_REGEX = /^[a-zA-Z0-9]{27}$/u;
/**
* [MAC](https://en.wikipedia.org/wiki/MAC_address) 48 bit regex.
*
* Hint: We decided against the `i` flag for better JSON Schema compatibility.
*/
const MAC48_REGEX = /^(?:[\da-fA-F]{2}:){5}[\da-fA-F]{2}$|^(?:[\da-fA-F]{2}-){5}[\da-fA-F]{2}$|^(?:[\da-fA-F]{4}\.){2}[\da-fA-F]{4}$/u;
/**
* [MAC](https://en.wikipedia.org/wiki/MAC_address) 64 bit regex.
*
* Hint: We decided against the `i` flag for better JSON Schema compatibility.
*/
const MAC64_REGEX = /^(?:[\da-fA-F]{2}:){7}[\da-fA-F]{2}$|^(?:[\da-fA-F]{2}-){7}[\da-fA-F]{2}$|^(?:[\da-fA-F]{4}\.){3}[\da-fA-F]{4}$|^(?:[\da-fA-F]{4}:){3}[\da-fA-F]{4}$/u;
/**
* [MAC](https://en.wikipedia.org/wiki/MAC_address) regex.
*
* Hint: We decided against the `i` flag for better JSON Schema compatibility.
*/
const MAC_REGEX = /^(?:[\da-fA-F]{2}:){5}[\da-fA-F]{2}$|^(?:[\da-fA-F]{2}-){5}[\da-fA-F]{2}$|^(?:[\da-fA-F]{4}\.){2}[\da-fA-F]{4}$|^(?:[\da-fA-F]{2}:){7}[\da-fA-F]{2}$|^(?:[\da-fA-F]{2}-){7}[\da-fA-F]{2}$|^(?:[\da-fA-F]{4}\.){3}[\da-fA-F]{4}$|^(?:[\da-fA-F]{4}:){3}[\da-fA-F]{4}$/u;
/**
* [Nano ID](https://github.com/ai/nanoid) regex.
*/
const NANO_ID_REGEX = /^[\w-]+$/u;
/**
* [Octal](https://en.wikipedia.org/wiki/Octal) regex.
*/
const OCTAL_REGEX = /^(?:0o)?[0-7]+$/u;
/**
* [RFC 5322 email address](https://datatracker.ietf.org/doc/html/rfc5322#section-3.4.1) regex.
*
* Hint: This regex was taken from the [HTML Living Standard Specification](https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address) and does not perfectly represent RFC 5322.
*/
const RFC_EMAIL_REGEX = /^[a-zA-Z0-9.!#$%&'*+\/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;
/**
* [Slug](https://en.wikipedia.org/wiki/Clean_URL#Slug) regex.
*/
const SLUG_REGEX = /^[\da-z]+(?:[-_][\da-z]+)*$/u;
/**
* [ULID](https://github.com/ulid/spec) regex.
*
* Hint: We decided against the `i` flag for better JSON Schema compatibility.
* Hint: The first character is restricted to `[0-7]` because the 48-bit
* timestamp cannot exceed 2^48-1, making the maximum valid ULID
* `7ZZZZZZZZZZZZZZZZZZZZZZZZZ` in Crockford's Base32 encoding.
*/
const ULID_REGEX = /^[0-7][\da-hjkmnp-tv-zA-HJKMNP-TV-Z]{25}$/u;
/**
* [UUID](https://en.wikipedia.org/wiki/Universally_unique_identifier) regex.
*/
const UUID_REGEX = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu;

//#endregion
//#region src/actions/base64/base64.ts
/* @__NO_SIDE_EFFECTS__ */
function base64(message$1) {
	return {
		kind: "validation",
		type: "base64",
		reference: base64,
		async: false,
		expects: null,
		requirement: BASE64_REGEX,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement.test(dataset.value)) _addIssue(this, "Base64", dataset, config$1);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/bic/bic.ts
/* @__NO_SIDE_EFFECTS__ */
function bic(message$1) {
	return {
		kind: "validation",
		type: "bic",
		reference: bic,
		async: false,
		expects: null,
		requirement: BIC_REGEX,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement.test(dataset.value)) _addIssue(this, "BIC", dataset, config$1);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/brand/brand.ts
/**
* Creates a brand transformation action.
*
* @param name The brand name.
*
* @returns A brand action.
*/
/* @__NO_SIDE_EFFECTS__ */
function brand(name) {
	return {
		kind: "transformation",
		type: "brand",
		reference: brand,
		async: false,
		name,
		"~run"(dataset) {
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/bytes/bytes.ts
/* @__NO_SIDE_EFFECTS__ */
function bytes(requirement, message$1) {
	return {
		kind: "validation",
		type: "bytes",
		reference: bytes,
		async: false,
		expects: `${requirement}`,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed) {
				const length$1 = /* @__PURE__ */ _getByteCount(dataset.value);
				if (length$1 !== this.requirement) _addIssue(this, "bytes", dataset, config$1, { received: `${length$1}` });
			}
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/check/check.ts
/* @__NO_SIDE_EFFECTS__ */
function check(requirement, message$1) {
	return {
		kind: "validation",
		type: "check",
		reference: check,
		async: false,
		expects: null,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement(dataset.value)) _addIssue(this, "input", dataset, config$1);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/check/checkAsync.ts
/* @__NO_SIDE_EFFECTS__ */
function checkAsync(requirement, message$1) {
	return {
		kind: "validation",
		type: "check",
		reference: checkAsync,
		async: true,
		expects: null,
		requirement,
		message: message$1,
		async "~run"(dataset, config$1) {
			if (dataset.typed && !await this.requirement(dataset.value)) _addIssue(this, "input", dataset, config$1);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/checkItems/checkItems.ts
/* @__NO_SIDE_EFFECTS__ */
function checkItems(requirement, message$1) {
	return {
		kind: "validation",
		type: "check_items",
		reference: checkItems,
		async: false,
		expects: null,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed) for (let index = 0; index < dataset.value.length; index++) {
				const item = dataset.value[index];
				if (!this.requirement(item, index, dataset.value)) _addIssue(this, "item", dataset, config$1, {
					input: item,
					path: [{
						type: "array",
						origin: "value",
						input: dataset.value,
						key: index,
						value: item
					}]
				});
			}
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/checkItems/checkItemsAsync.ts
/* @__NO_SIDE_EFFECTS__ */
function checkItemsAsync(requirement, message$1) {
	return {
		kind: "validation",
		type: "check_items",
		reference: checkItemsAsync,
		async: true,
		expects: null,
		requirement,
		message: message$1,
		async "~run"(dataset, config$1) {
			if (dataset.typed) {
				const requirementResults = await Promise.all(dataset.value.map(this.requirement));
				for (let index = 0; index < dataset.value.length; index++) if (!requirementResults[index]) {
					const item = dataset.value[index];
					_addIssue(this, "item", dataset, config$1, {
						input: item,
						path: [{
							type: "array",
							origin: "value",
							input: dataset.value,
							key: index,
							value: item
						}]
					});
				}
			}
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/codePoints/codePoints.ts
/* @__NO_SIDE_EFFECTS__ */
function codePoints(requirement, message$1) {
	return {
		kind: "validation",
		type: "code_points",
		reference: codePoints,
		async: false,
		expects: `${requirement}`,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed) {
				const count = /* @__PURE__ */ _getCodePointCount(dataset.value);
				if (count !== this.requirement) _addIssue(this, "code points", dataset, config$1, { received: `${count}` });
			}
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/creditCard/creditCard.ts
/**
* Credit card regex.
*/
const CREDIT_CARD_REGEX = /^(?:\d{13,19}|\d{4}(?: \d{3,6}){2,4}|\d{4}(?:-\d{3,6}){2,4})$/u;
/**
* Sanitize regex.
*/
const SANITIZE_REGEX = /[- ]/gu;
/**
* Provider regex list.
*/
const PROVIDER_REGEX_LIST = (/* unused pure expression or super */ null && ([
	/^3[47]\d{13}$/u,
	/^3(?:0[0-5]|[68]\d)\d{11,13}$/u,
	/^6(?:011|5\d{2})\d{12,15}$/u,
	/^(?:2131|1800|35\d{3})\d{11}$/u,
	/^(?:5[1-5]\d{2}|222\d|22[3-9]\d|2[3-6]\d{2}|27[01]\d|2720)\d{12}$/u,
	/^(?:6[27]\d{14,17}|81\d{14,17})$/u,
	/^4\d{12}(?:\d{3,6})?$/u
]));
/* @__NO_SIDE_EFFECTS__ */
function creditCard(message$1) {
	return {
		kind: "validation",
		type: "credit_card",
		reference: creditCard,
		async: false,
		expects: null,
		requirement(input) {
			let sanitized;
			return CREDIT_CARD_REGEX.test(input) && (sanitized = input.replace(SANITIZE_REGEX, "")) && PROVIDER_REGEX_LIST.some((regex$1) => regex$1.test(sanitized)) && /* @__PURE__ */ _isLuhnAlgo(sanitized);
		},
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement(dataset.value)) _addIssue(this, "credit card", dataset, config$1);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/cuid2/cuid2.ts
/* @__NO_SIDE_EFFECTS__ */
function cuid2(message$1) {
	return {
		kind: "validation",
		type: "cuid2",
		reference: cuid2,
		async: false,
		expects: null,
		requirement: CUID2_REGEX,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement.test(dataset.value)) _addIssue(this, "Cuid2", dataset, config$1);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/decimal/decimal.ts
/* @__NO_SIDE_EFFECTS__ */
function decimal(message$1) {
	return {
		kind: "validation",
		type: "decimal",
		reference: decimal,
		async: false,
		expects: null,
		requirement: DECIMAL_REGEX,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement.test(dataset.value)) _addIssue(this, "decimal", dataset, config$1);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/description/description.ts
/**
* Creates a description metadata action.
*
* @param description_ The description text.
*
* @returns A description action.
*/
/* @__NO_SIDE_EFFECTS__ */
function description(description_) {
	return {
		kind: "metadata",
		type: "description",
		reference: description,
		description: description_
	};
}

//#endregion
//#region src/actions/digits/digits.ts
/* @__NO_SIDE_EFFECTS__ */
function digits(message$1) {
	return {
		kind: "validation",
		type: "digits",
		reference: digits,
		async: false,
		expects: null,
		requirement: DIGITS_REGEX,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement.test(dataset.value)) _addIssue(this, "digits", dataset, config$1);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/domain/domain.ts
/* @__NO_SIDE_EFFECTS__ */
function domain(message$1) {
	return {
		kind: "validation",
		type: "domain",
		reference: domain,
		expects: null,
		async: false,
		requirement: DOMAIN_REGEX,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement.test(dataset.value)) _addIssue(this, "domain", dataset, config$1);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/email/email.ts
/* @__NO_SIDE_EFFECTS__ */
function email(message$1) {
	return {
		kind: "validation",
		type: "email",
		reference: email,
		expects: null,
		async: false,
		requirement: EMAIL_REGEX,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement.test(dataset.value)) _addIssue(this, "email", dataset, config$1);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/emoji/emoji.ts
/* @__NO_SIDE_EFFECTS__ */
function emoji(message$1) {
	return {
		kind: "validation",
		type: "emoji",
		reference: emoji,
		async: false,
		expects: null,
		requirement: EMOJI_REGEX,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement.test(dataset.value)) _addIssue(this, "emoji", dataset, config$1);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/empty/empty.ts
/* @__NO_SIDE_EFFECTS__ */
function empty(message$1) {
	return {
		kind: "validation",
		type: "empty",
		reference: empty,
		async: false,
		expects: "0",
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && dataset.value.length > 0) _addIssue(this, "length", dataset, config$1, { received: `${dataset.value.length}` });
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/endsWith/endsWith.ts
/* @__NO_SIDE_EFFECTS__ */
function endsWith(requirement, message$1) {
	return {
		kind: "validation",
		type: "ends_with",
		reference: endsWith,
		async: false,
		expects: `"${requirement}"`,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !dataset.value.endsWith(this.requirement)) _addIssue(this, "end", dataset, config$1, { received: `"${dataset.value.slice(-this.requirement.length)}"` });
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/entries/entries.ts
/* @__NO_SIDE_EFFECTS__ */
function entries(requirement, message$1) {
	return {
		kind: "validation",
		type: "entries",
		reference: entries,
		async: false,
		expects: `${requirement}`,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (!dataset.typed) return dataset;
			const count = Object.keys(dataset.value).length;
			if (dataset.typed && count !== this.requirement) _addIssue(this, "entries", dataset, config$1, { received: `${count}` });
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/everyItem/everyItem.ts
/* @__NO_SIDE_EFFECTS__ */
function everyItem(requirement, message$1) {
	return {
		kind: "validation",
		type: "every_item",
		reference: everyItem,
		async: false,
		expects: null,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !dataset.value.every(this.requirement)) _addIssue(this, "item", dataset, config$1);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/examples/examples.ts
/**
* Creates an examples metadata action.
*
* @param examples_ The examples.
*
* @returns An examples action.
*
* @beta
*/
/* @__NO_SIDE_EFFECTS__ */
function examples(examples_) {
	return {
		kind: "metadata",
		type: "examples",
		reference: examples,
		examples: examples_
	};
}

//#endregion
//#region src/actions/excludes/excludes.ts
/* @__NO_SIDE_EFFECTS__ */
function excludes(requirement, message$1) {
	const received = /* @__PURE__ */ _stringify(requirement);
	return {
		kind: "validation",
		type: "excludes",
		reference: excludes,
		async: false,
		expects: `!${received}`,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && dataset.value.includes(this.requirement)) _addIssue(this, "content", dataset, config$1, { received });
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/filterItems/filterItems.ts
/* @__NO_SIDE_EFFECTS__ */
function filterItems(operation) {
	return {
		kind: "transformation",
		type: "filter_items",
		reference: filterItems,
		async: false,
		operation,
		"~run"(dataset) {
			dataset.value = dataset.value.filter(this.operation);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/findItem/findItem.ts
/* @__NO_SIDE_EFFECTS__ */
function findItem(operation) {
	return {
		kind: "transformation",
		type: "find_item",
		reference: findItem,
		async: false,
		operation,
		"~run"(dataset) {
			dataset.value = dataset.value.find(this.operation);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/finite/finite.ts
/* @__NO_SIDE_EFFECTS__ */
function finite(message$1) {
	return {
		kind: "validation",
		type: "finite",
		reference: finite,
		async: false,
		expects: null,
		requirement: Number.isFinite,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement(dataset.value)) _addIssue(this, "finite", dataset, config$1);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/flavor/flavor.ts
/**
* Creates a flavor transformation action.
*
* @param name The flavor name.
*
* @returns A flavor action.
*
* @beta
*/
/* @__NO_SIDE_EFFECTS__ */
function flavor(name) {
	return {
		kind: "transformation",
		type: "flavor",
		reference: flavor,
		async: false,
		name,
		"~run"(dataset) {
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/graphemes/graphemes.ts
/* @__NO_SIDE_EFFECTS__ */
function graphemes(requirement, message$1) {
	return {
		kind: "validation",
		type: "graphemes",
		reference: graphemes,
		async: false,
		expects: `${requirement}`,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed) {
				const count = /* @__PURE__ */ _getGraphemeCount(dataset.value);
				if (count !== this.requirement) _addIssue(this, "graphemes", dataset, config$1, { received: `${count}` });
			}
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/gtValue/gtValue.ts
/* @__NO_SIDE_EFFECTS__ */
function gtValue(requirement, message$1) {
	return {
		kind: "validation",
		type: "gt_value",
		reference: gtValue,
		async: false,
		expects: `>${requirement instanceof Date ? requirement.toJSON() : /* @__PURE__ */ _stringify(requirement)}`,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !(dataset.value > this.requirement)) _addIssue(this, "value", dataset, config$1, { received: dataset.value instanceof Date ? dataset.value.toJSON() : /* @__PURE__ */ _stringify(dataset.value) });
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/guard/guard.ts
/* @__NO_SIDE_EFFECTS__ */
function guard(requirement, message$1) {
	return {
		kind: "transformation",
		type: "guard",
		reference: guard,
		async: false,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement(dataset.value)) {
				_addIssue(this, "input", dataset, config$1);
				dataset.typed = false;
			}
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/hash/hash.ts
/**
* Hash lengths object.
*/
const HASH_LENGTHS = {
	md4: 32,
	md5: 32,
	sha1: 40,
	sha256: 64,
	sha384: 96,
	sha512: 128,
	ripemd128: 32,
	ripemd160: 40,
	tiger128: 32,
	tiger160: 40,
	tiger192: 48,
	crc32: 8,
	crc32b: 8,
	adler32: 8
};
/* @__NO_SIDE_EFFECTS__ */
function hash(types, message$1) {
	return {
		kind: "validation",
		type: "hash",
		reference: hash,
		expects: null,
		async: false,
		requirement: RegExp(types.map((type) => `^[a-fA-F0-9]{${HASH_LENGTHS[type]}}$`).join("|"), "u"),
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement.test(dataset.value)) _addIssue(this, "hash", dataset, config$1);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/hexadecimal/hexadecimal.ts
/* @__NO_SIDE_EFFECTS__ */
function hexadecimal(message$1) {
	return {
		kind: "validation",
		type: "hexadecimal",
		reference: hexadecimal,
		async: false,
		expects: null,
		requirement: HEXADECIMAL_REGEX,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement.test(dataset.value)) _addIssue(this, "hexadecimal", dataset, config$1);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/hexColor/hexColor.ts
/* @__NO_SIDE_EFFECTS__ */
function hexColor(message$1) {
	return {
		kind: "validation",
		type: "hex_color",
		reference: hexColor,
		async: false,
		expects: null,
		requirement: HEX_COLOR_REGEX,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement.test(dataset.value)) _addIssue(this, "hex color", dataset, config$1);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/imei/imei.ts
/* @__NO_SIDE_EFFECTS__ */
function imei(message$1) {
	return {
		kind: "validation",
		type: "imei",
		reference: imei,
		async: false,
		expects: null,
		requirement(input) {
			return IMEI_REGEX.test(input) && /* @__PURE__ */ _isLuhnAlgo(input);
		},
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement(dataset.value)) _addIssue(this, "IMEI", dataset, config$1);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/includes/includes.ts
/* @__NO_SIDE_EFFECTS__ */
function includes(requirement, message$1) {
	const expects = /* @__PURE__ */ _stringify(requirement);
	return {
		kind: "validation",
		type: "includes",
		reference: includes,
		async: false,
		expects,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !dataset.value.includes(this.requirement)) _addIssue(this, "content", dataset, config$1, { received: `!${expects}` });
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/integer/integer.ts
/* @__NO_SIDE_EFFECTS__ */
function integer(message$1) {
	return {
		kind: "validation",
		type: "integer",
		reference: integer,
		async: false,
		expects: null,
		requirement: Number.isInteger,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement(dataset.value)) _addIssue(this, "integer", dataset, config$1);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/ip/ip.ts
/* @__NO_SIDE_EFFECTS__ */
function ip(message$1) {
	return {
		kind: "validation",
		type: "ip",
		reference: ip,
		async: false,
		expects: null,
		requirement: IP_REGEX,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement.test(dataset.value)) _addIssue(this, "IP", dataset, config$1);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/ipv4/ipv4.ts
/* @__NO_SIDE_EFFECTS__ */
function ipv4(message$1) {
	return {
		kind: "validation",
		type: "ipv4",
		reference: ipv4,
		async: false,
		expects: null,
		requirement: IPV4_REGEX,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement.test(dataset.value)) _addIssue(this, "IPv4", dataset, config$1);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/ipv6/ipv6.ts
/* @__NO_SIDE_EFFECTS__ */
function ipv6(message$1) {
	return {
		kind: "validation",
		type: "ipv6",
		reference: ipv6,
		async: false,
		expects: null,
		requirement: IPV6_REGEX,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement.test(dataset.value)) _addIssue(this, "IPv6", dataset, config$1);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/isbn/utils/_isIsbn10.ts
/**
* [Validates an ISBN-10](https://en.wikipedia.org/wiki/ISBN#ISBN-10_check_digits).
*
* @param input The input value.
*
* @returns `true` if the input is a valid ISBN-10, `false` otherwise.
*
* @internal
*/
function _isIsbn10(input) {
	const digits$1 = input.split("").map((c) => c === "X" ? 10 : parseInt(c));
	let sum = 0;
	for (let i = 0; i < 10; i++) sum += digits$1[i] * (10 - i);
	return sum % 11 === 0;
}

//#endregion
//#region src/actions/isbn/utils/_isIsbn13.ts
/**
* [Validates an ISBN-13](https://en.wikipedia.org/wiki/ISBN#ISBN-13_check_digit_calculation).
*
* @param input The input value.
*
* @returns `true` if the input is a valid ISBN-13, `false` otherwise.
*
* @internal
*/
function _isIsbn13(input) {
	const digits$1 = input.split("").map((c) => parseInt(c));
	let sum = 0;
	for (let i = 0; i < 13; i++) sum += digits$1[i] * (i % 2 === 0 ? 1 : 3);
	return sum % 10 === 0;
}

//#endregion
//#region src/actions/isbn/isbn.ts
/**
* ISBN separator regex.
*/
const ISBN_SEPARATOR_REGEX = /[- ]/gu;
/**
* ISBN-10 detection regex.
*/
const ISBN_10_DETECTION_REGEX = /^\d{9}[\dX]$/u;
/**
* ISBN-13 detection regex.
*/
const ISBN_13_DETECTION_REGEX = /^\d{13}$/u;
/* @__NO_SIDE_EFFECTS__ */
function isbn(message$1) {
	return {
		kind: "validation",
		type: "isbn",
		reference: isbn,
		async: false,
		expects: null,
		requirement(input) {
			const replacedInput = input.replace(ISBN_SEPARATOR_REGEX, "");
			if (ISBN_10_DETECTION_REGEX.test(replacedInput)) return _isIsbn10(replacedInput);
			else if (ISBN_13_DETECTION_REGEX.test(replacedInput)) return _isIsbn13(replacedInput);
			return false;
		},
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement(dataset.value)) _addIssue(this, "ISBN", dataset, config$1);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/isrc/isrc.ts
/* @__NO_SIDE_EFFECTS__ */
function isrc(message$1) {
	return {
		kind: "validation",
		type: "isrc",
		reference: isrc,
		async: false,
		expects: null,
		requirement: ISRC_REGEX,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement.test(dataset.value)) _addIssue(this, "ISRC", dataset, config$1);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/isoDate/isoDate.ts
/* @__NO_SIDE_EFFECTS__ */
function isoDate(message$1) {
	return {
		kind: "validation",
		type: "iso_date",
		reference: isoDate,
		async: false,
		expects: null,
		requirement: ISO_DATE_REGEX,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement.test(dataset.value)) _addIssue(this, "date", dataset, config$1);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/isoDateTime/isoDateTime.ts
/* @__NO_SIDE_EFFECTS__ */
function isoDateTime(message$1) {
	return {
		kind: "validation",
		type: "iso_date_time",
		reference: isoDateTime,
		async: false,
		expects: null,
		requirement: ISO_DATE_TIME_REGEX,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement.test(dataset.value)) _addIssue(this, "date-time", dataset, config$1);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/isoDateTimeSecond/isoDateTimeSecond.ts
/* @__NO_SIDE_EFFECTS__ */
function isoDateTimeSecond(message$1) {
	return {
		kind: "validation",
		type: "iso_date_time_second",
		reference: isoDateTimeSecond,
		async: false,
		expects: null,
		requirement: ISO_DATE_TIME_SECOND_REGEX,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement.test(dataset.value)) _addIssue(this, "date-time-second", dataset, config$1);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/isoTime/isoTime.ts
/* @__NO_SIDE_EFFECTS__ */
function isoTime(message$1) {
	return {
		kind: "validation",
		type: "iso_time",
		reference: isoTime,
		async: false,
		expects: null,
		requirement: ISO_TIME_REGEX,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement.test(dataset.value)) _addIssue(this, "time", dataset, config$1);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/isoTimeSecond/isoTimeSecond.ts
/* @__NO_SIDE_EFFECTS__ */
function isoTimeSecond(message$1) {
	return {
		kind: "validation",
		type: "iso_time_second",
		reference: isoTimeSecond,
		async: false,
		expects: null,
		requirement: ISO_TIME_SECOND_REGEX,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement.test(dataset.value)) _addIssue(this, "time-second", dataset, config$1);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/isoTimestamp/isoTimestamp.ts
/* @__NO_SIDE_EFFECTS__ */
function isoTimestamp(message$1) {
	return {
		kind: "validation",
		type: "iso_timestamp",
		reference: isoTimestamp,
		async: false,
		expects: null,
		requirement: ISO_TIMESTAMP_REGEX,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement.test(dataset.value)) _addIssue(this, "timestamp", dataset, config$1);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/isoWeek/isoWeek.ts
/* @__NO_SIDE_EFFECTS__ */
function isoWeek(message$1) {
	return {
		kind: "validation",
		type: "iso_week",
		reference: isoWeek,
		async: false,
		expects: null,
		requirement: ISO_WEEK_REGEX,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement.test(dataset.value)) _addIssue(this, "week", dataset, config$1);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/jwsCompact/jwsCompact.ts
/* @__NO_SIDE_EFFECTS__ */
function jwsCompact(message$1) {
	return {
		kind: "validation",
		type: "jws_compact",
		reference: jwsCompact,
		async: false,
		expects: null,
		requirement: JWS_COMPACT_REGEX,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement.test(dataset.value)) _addIssue(this, "JWS compact", dataset, config$1);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/ksuid/ksuid.ts
/* @__NO_SIDE_EFFECTS__ */
function ksuid(message$1) {
	return {
		kind: "validation",
		type: "ksuid",
		reference: ksuid,
		async: false,
		expects: null,
		requirement: KSUID_REGEX,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement.test(dataset.value)) _addIssue(this, "KSUID", dataset, config$1);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/length/length.ts
/* @__NO_SIDE_EFFECTS__ */
function length(requirement, message$1) {
	return {
		kind: "validation",
		type: "length",
		reference: length,
		async: false,
		expects: `${requirement}`,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && dataset.value.length !== this.requirement) _addIssue(this, "length", dataset, config$1, { received: `${dataset.value.length}` });
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/ltValue/ltValue.ts
/* @__NO_SIDE_EFFECTS__ */
function ltValue(requirement, message$1) {
	return {
		kind: "validation",
		type: "lt_value",
		reference: ltValue,
		async: false,
		expects: `<${requirement instanceof Date ? requirement.toJSON() : /* @__PURE__ */ _stringify(requirement)}`,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !(dataset.value < this.requirement)) _addIssue(this, "value", dataset, config$1, { received: dataset.value instanceof Date ? dataset.value.toJSON() : /* @__PURE__ */ _stringify(dataset.value) });
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/mac/mac.ts
/* @__NO_SIDE_EFFECTS__ */
function mac(message$1) {
	return {
		kind: "validation",
		type: "mac",
		reference: mac,
		async: false,
		expects: null,
		requirement: MAC_REGEX,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement.test(dataset.value)) _addIssue(this, "MAC", dataset, config$1);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/mac48/mac48.ts
/* @__NO_SIDE_EFFECTS__ */
function mac48(message$1) {
	return {
		kind: "validation",
		type: "mac48",
		reference: mac48,
		async: false,
		expects: null,
		requirement: MAC48_REGEX,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement.test(dataset.value)) _addIssue(this, "48-bit MAC", dataset, config$1);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/mac64/mac64.ts
/* @__NO_SIDE_EFFECTS__ */
function mac64(message$1) {
	return {
		kind: "validation",
		type: "mac64",
		reference: mac64,
		async: false,
		expects: null,
		requirement: MAC64_REGEX,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement.test(dataset.value)) _addIssue(this, "64-bit MAC", dataset, config$1);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/mapItems/mapItems.ts
/* @__NO_SIDE_EFFECTS__ */
function mapItems(operation) {
	return {
		kind: "transformation",
		type: "map_items",
		reference: mapItems,
		async: false,
		operation,
		"~run"(dataset) {
			dataset.value = dataset.value.map(this.operation);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/maxBytes/maxBytes.ts
/* @__NO_SIDE_EFFECTS__ */
function maxBytes(requirement, message$1) {
	return {
		kind: "validation",
		type: "max_bytes",
		reference: maxBytes,
		async: false,
		expects: `<=${requirement}`,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed) {
				const length$1 = /* @__PURE__ */ _getByteCount(dataset.value);
				if (length$1 > this.requirement) _addIssue(this, "bytes", dataset, config$1, { received: `${length$1}` });
			}
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/maxCodePoints/maxCodePoints.ts
/* @__NO_SIDE_EFFECTS__ */
function maxCodePoints(requirement, message$1) {
	return {
		kind: "validation",
		type: "max_code_points",
		reference: maxCodePoints,
		async: false,
		expects: `<=${requirement}`,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed) {
				const count = /* @__PURE__ */ _getCodePointCount(dataset.value);
				if (count > this.requirement) _addIssue(this, "code points", dataset, config$1, { received: `${count}` });
			}
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/maxEntries/maxEntries.ts
/* @__NO_SIDE_EFFECTS__ */
function maxEntries(requirement, message$1) {
	return {
		kind: "validation",
		type: "max_entries",
		reference: maxEntries,
		async: false,
		expects: `<=${requirement}`,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (!dataset.typed) return dataset;
			const count = Object.keys(dataset.value).length;
			if (dataset.typed && count > this.requirement) _addIssue(this, "entries", dataset, config$1, { received: `${count}` });
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/maxGraphemes/maxGraphemes.ts
/* @__NO_SIDE_EFFECTS__ */
function maxGraphemes(requirement, message$1) {
	return {
		kind: "validation",
		type: "max_graphemes",
		reference: maxGraphemes,
		async: false,
		expects: `<=${requirement}`,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed) {
				const count = /* @__PURE__ */ _getGraphemeCount(dataset.value);
				if (count > this.requirement) _addIssue(this, "graphemes", dataset, config$1, { received: `${count}` });
			}
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/maxLength/maxLength.ts
/* @__NO_SIDE_EFFECTS__ */
function maxLength(requirement, message$1) {
	return {
		kind: "validation",
		type: "max_length",
		reference: maxLength,
		async: false,
		expects: `<=${requirement}`,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && dataset.value.length > this.requirement) _addIssue(this, "length", dataset, config$1, { received: `${dataset.value.length}` });
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/maxSize/maxSize.ts
/* @__NO_SIDE_EFFECTS__ */
function maxSize(requirement, message$1) {
	return {
		kind: "validation",
		type: "max_size",
		reference: maxSize,
		async: false,
		expects: `<=${requirement}`,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && dataset.value.size > this.requirement) _addIssue(this, "size", dataset, config$1, { received: `${dataset.value.size}` });
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/maxValue/maxValue.ts
/* @__NO_SIDE_EFFECTS__ */
function maxValue(requirement, message$1) {
	return {
		kind: "validation",
		type: "max_value",
		reference: maxValue,
		async: false,
		expects: `<=${requirement instanceof Date ? requirement.toJSON() : /* @__PURE__ */ _stringify(requirement)}`,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !(dataset.value <= this.requirement)) _addIssue(this, "value", dataset, config$1, { received: dataset.value instanceof Date ? dataset.value.toJSON() : /* @__PURE__ */ _stringify(dataset.value) });
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/maxWords/maxWords.ts
/* @__NO_SIDE_EFFECTS__ */
function maxWords(locales, requirement, message$1) {
	return {
		kind: "validation",
		type: "max_words",
		reference: maxWords,
		async: false,
		expects: `<=${requirement}`,
		locales,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed) {
				const count = /* @__PURE__ */ _getWordCount(this.locales, dataset.value);
				if (count > this.requirement) _addIssue(this, "words", dataset, config$1, { received: `${count}` });
			}
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/metadata/metadata.ts
/**
* Creates a custom metadata action.
*
* @param metadata_ The metadata object.
*
* @returns A metadata action.
*/
/* @__NO_SIDE_EFFECTS__ */
function metadata(metadata_) {
	return {
		kind: "metadata",
		type: "metadata",
		reference: metadata,
		metadata: metadata_
	};
}

//#endregion
//#region src/actions/mimeType/mimeType.ts
/* @__NO_SIDE_EFFECTS__ */
function mimeType(requirement, message$1) {
	return {
		kind: "validation",
		type: "mime_type",
		reference: mimeType,
		async: false,
		expects: /* @__PURE__ */ _joinExpects(requirement.map((option) => `"${option}"`), "|"),
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement.includes(dataset.value.type)) _addIssue(this, "MIME type", dataset, config$1, { received: `"${dataset.value.type}"` });
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/minBytes/minBytes.ts
/* @__NO_SIDE_EFFECTS__ */
function minBytes(requirement, message$1) {
	return {
		kind: "validation",
		type: "min_bytes",
		reference: minBytes,
		async: false,
		expects: `>=${requirement}`,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed) {
				const length$1 = /* @__PURE__ */ _getByteCount(dataset.value);
				if (length$1 < this.requirement) _addIssue(this, "bytes", dataset, config$1, { received: `${length$1}` });
			}
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/minCodePoints/minCodePoints.ts
/* @__NO_SIDE_EFFECTS__ */
function minCodePoints(requirement, message$1) {
	return {
		kind: "validation",
		type: "min_code_points",
		reference: minCodePoints,
		async: false,
		expects: `>=${requirement}`,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed) {
				const count = /* @__PURE__ */ _getCodePointCount(dataset.value);
				if (count < this.requirement) _addIssue(this, "code points", dataset, config$1, { received: `${count}` });
			}
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/minEntries/minEntries.ts
/* @__NO_SIDE_EFFECTS__ */
function minEntries(requirement, message$1) {
	return {
		kind: "validation",
		type: "min_entries",
		reference: minEntries,
		async: false,
		expects: `>=${requirement}`,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (!dataset.typed) return dataset;
			const count = Object.keys(dataset.value).length;
			if (dataset.typed && count < this.requirement) _addIssue(this, "entries", dataset, config$1, { received: `${count}` });
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/minGraphemes/minGraphemes.ts
/* @__NO_SIDE_EFFECTS__ */
function minGraphemes(requirement, message$1) {
	return {
		kind: "validation",
		type: "min_graphemes",
		reference: minGraphemes,
		async: false,
		expects: `>=${requirement}`,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed) {
				const count = /* @__PURE__ */ _getGraphemeCount(dataset.value);
				if (count < this.requirement) _addIssue(this, "graphemes", dataset, config$1, { received: `${count}` });
			}
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/minLength/minLength.ts
/* @__NO_SIDE_EFFECTS__ */
function minLength(requirement, message$1) {
	return {
		kind: "validation",
		type: "min_length",
		reference: minLength,
		async: false,
		expects: `>=${requirement}`,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && dataset.value.length < this.requirement) _addIssue(this, "length", dataset, config$1, { received: `${dataset.value.length}` });
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/minSize/minSize.ts
/* @__NO_SIDE_EFFECTS__ */
function minSize(requirement, message$1) {
	return {
		kind: "validation",
		type: "min_size",
		reference: minSize,
		async: false,
		expects: `>=${requirement}`,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && dataset.value.size < this.requirement) _addIssue(this, "size", dataset, config$1, { received: `${dataset.value.size}` });
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/minValue/minValue.ts
/* @__NO_SIDE_EFFECTS__ */
function minValue(requirement, message$1) {
	return {
		kind: "validation",
		type: "min_value",
		reference: minValue,
		async: false,
		expects: `>=${requirement instanceof Date ? requirement.toJSON() : /* @__PURE__ */ _stringify(requirement)}`,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !(dataset.value >= this.requirement)) _addIssue(this, "value", dataset, config$1, { received: dataset.value instanceof Date ? dataset.value.toJSON() : /* @__PURE__ */ _stringify(dataset.value) });
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/minWords/minWords.ts
/* @__NO_SIDE_EFFECTS__ */
function minWords(locales, requirement, message$1) {
	return {
		kind: "validation",
		type: "min_words",
		reference: minWords,
		async: false,
		expects: `>=${requirement}`,
		locales,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed) {
				const count = /* @__PURE__ */ _getWordCount(this.locales, dataset.value);
				if (count < this.requirement) _addIssue(this, "words", dataset, config$1, { received: `${count}` });
			}
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/multipleOf/multipleOf.ts
/* @__NO_SIDE_EFFECTS__ */
function multipleOf(requirement, message$1) {
	return {
		kind: "validation",
		type: "multiple_of",
		reference: multipleOf,
		async: false,
		expects: `%${requirement}`,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && dataset.value % this.requirement != 0) _addIssue(this, "multiple", dataset, config$1);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/nanoid/nanoid.ts
/* @__NO_SIDE_EFFECTS__ */
function nanoid(message$1) {
	return {
		kind: "validation",
		type: "nanoid",
		reference: nanoid,
		async: false,
		expects: null,
		requirement: NANO_ID_REGEX,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement.test(dataset.value)) _addIssue(this, "Nano ID", dataset, config$1);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/nonEmpty/nonEmpty.ts
/* @__NO_SIDE_EFFECTS__ */
function nonEmpty(message$1) {
	return {
		kind: "validation",
		type: "non_empty",
		reference: nonEmpty,
		async: false,
		expects: "!0",
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && dataset.value.length === 0) _addIssue(this, "length", dataset, config$1, { received: "0" });
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/normalize/normalize.ts
/* @__NO_SIDE_EFFECTS__ */
function normalize(form) {
	return {
		kind: "transformation",
		type: "normalize",
		reference: normalize,
		async: false,
		form,
		"~run"(dataset) {
			dataset.value = dataset.value.normalize(this.form);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/notBytes/notBytes.ts
/* @__NO_SIDE_EFFECTS__ */
function notBytes(requirement, message$1) {
	return {
		kind: "validation",
		type: "not_bytes",
		reference: notBytes,
		async: false,
		expects: `!${requirement}`,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed) {
				const length$1 = /* @__PURE__ */ _getByteCount(dataset.value);
				if (length$1 === this.requirement) _addIssue(this, "bytes", dataset, config$1, { received: `${length$1}` });
			}
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/notCodePoints/notCodePoints.ts
/* @__NO_SIDE_EFFECTS__ */
function notCodePoints(requirement, message$1) {
	return {
		kind: "validation",
		type: "not_code_points",
		reference: notCodePoints,
		async: false,
		expects: `!${requirement}`,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed) {
				const count = /* @__PURE__ */ _getCodePointCount(dataset.value);
				if (count === this.requirement) _addIssue(this, "code points", dataset, config$1, { received: `${count}` });
			}
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/notEntries/notEntries.ts
/* @__NO_SIDE_EFFECTS__ */
function notEntries(requirement, message$1) {
	return {
		kind: "validation",
		type: "not_entries",
		reference: notEntries,
		async: false,
		expects: `!${requirement}`,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (!dataset.typed) return dataset;
			const count = Object.keys(dataset.value).length;
			if (dataset.typed && count === this.requirement) _addIssue(this, "entries", dataset, config$1, { received: `${count}` });
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/notGraphemes/notGraphemes.ts
/* @__NO_SIDE_EFFECTS__ */
function notGraphemes(requirement, message$1) {
	return {
		kind: "validation",
		type: "not_graphemes",
		reference: notGraphemes,
		async: false,
		expects: `!${requirement}`,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed) {
				const count = /* @__PURE__ */ _getGraphemeCount(dataset.value);
				if (count === this.requirement) _addIssue(this, "graphemes", dataset, config$1, { received: `${count}` });
			}
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/notLength/notLength.ts
/* @__NO_SIDE_EFFECTS__ */
function notLength(requirement, message$1) {
	return {
		kind: "validation",
		type: "not_length",
		reference: notLength,
		async: false,
		expects: `!${requirement}`,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && dataset.value.length === this.requirement) _addIssue(this, "length", dataset, config$1, { received: `${dataset.value.length}` });
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/notSize/notSize.ts
/* @__NO_SIDE_EFFECTS__ */
function notSize(requirement, message$1) {
	return {
		kind: "validation",
		type: "not_size",
		reference: notSize,
		async: false,
		expects: `!${requirement}`,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && dataset.value.size === this.requirement) _addIssue(this, "size", dataset, config$1, { received: `${dataset.value.size}` });
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/notValue/notValue.ts
/* @__NO_SIDE_EFFECTS__ */
function notValue(requirement, message$1) {
	return {
		kind: "validation",
		type: "not_value",
		reference: notValue,
		async: false,
		expects: requirement instanceof Date ? `!${requirement.toJSON()}` : `!${/* @__PURE__ */ _stringify(requirement)}`,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && /* @__PURE__ */ _isValueMatch(this.requirement, dataset.value)) _addIssue(this, "value", dataset, config$1, { received: dataset.value instanceof Date ? dataset.value.toJSON() : /* @__PURE__ */ _stringify(dataset.value) });
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/notValues/notValues.ts
/* @__NO_SIDE_EFFECTS__ */
function notValues(requirement, message$1) {
	return {
		kind: "validation",
		type: "not_values",
		reference: notValues,
		async: false,
		expects: `!${/* @__PURE__ */ _joinExpects(requirement.map((value$1) => value$1 instanceof Date ? value$1.toJSON() : /* @__PURE__ */ _stringify(value$1)), "|")}`,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && this.requirement.some((requirement$1) => /* @__PURE__ */ _isValueMatch(requirement$1, dataset.value))) _addIssue(this, "value", dataset, config$1, { received: dataset.value instanceof Date ? dataset.value.toJSON() : /* @__PURE__ */ _stringify(dataset.value) });
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/notWords/notWords.ts
/* @__NO_SIDE_EFFECTS__ */
function notWords(locales, requirement, message$1) {
	return {
		kind: "validation",
		type: "not_words",
		reference: notWords,
		async: false,
		expects: `!${requirement}`,
		locales,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed) {
				const count = /* @__PURE__ */ _getWordCount(this.locales, dataset.value);
				if (count === this.requirement) _addIssue(this, "words", dataset, config$1, { received: `${count}` });
			}
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/octal/octal.ts
/* @__NO_SIDE_EFFECTS__ */
function octal(message$1) {
	return {
		kind: "validation",
		type: "octal",
		reference: octal,
		async: false,
		expects: null,
		requirement: OCTAL_REGEX,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement.test(dataset.value)) _addIssue(this, "octal", dataset, config$1);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/parseBoolean/parseBoolean.ts
const TRUTHY = (/* unused pure expression or super */ null && ([
	true,
	1,
	"true",
	"1",
	"yes",
	"y",
	"on",
	"enabled"
]));
const FALSY = (/* unused pure expression or super */ null && ([
	false,
	0,
	"false",
	"0",
	"no",
	"n",
	"off",
	"disabled"
]));
/* @__NO_SIDE_EFFECTS__ */
function parseBoolean(config$1, message$1) {
	const normalize$1 = (v) => typeof v === "string" ? v.toLowerCase() : v;
	const truthyRaw = config$1?.truthy ?? TRUTHY;
	const falsyRaw = config$1?.falsy ?? FALSY;
	const truthy = config$1?.truthy ? config$1.truthy.map(normalize$1) : TRUTHY;
	const falsy = config$1?.falsy ? config$1.falsy.map(normalize$1) : FALSY;
	return {
		kind: "transformation",
		type: "parse_boolean",
		reference: parseBoolean,
		expects: /* @__PURE__ */ _joinExpects([...truthyRaw, ...falsyRaw].map(_stringify), "|"),
		config: config$1,
		message: message$1,
		async: false,
		"~run"(dataset, config$2) {
			const input = normalize$1(dataset.value);
			if (truthy.includes(input)) dataset.value = true;
			else if (falsy.includes(input)) dataset.value = false;
			else {
				_addIssue(this, "boolean", dataset, config$2);
				dataset.typed = false;
			}
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/parseJson/parseJson.ts
/* @__NO_SIDE_EFFECTS__ */
function parseJson(config$1, message$1) {
	return {
		kind: "transformation",
		type: "parse_json",
		reference: parseJson,
		config: config$1,
		message: message$1,
		async: false,
		"~run"(dataset, config$2) {
			try {
				dataset.value = JSON.parse(dataset.value, this.config?.reviver);
			} catch (error) {
				if (error instanceof Error) {
					_addIssue(this, "JSON", dataset, config$2, { received: `"${error.message}"` });
					dataset.typed = false;
				} else throw error;
			}
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/partialCheck/utils/_isPartiallyTyped/_isPartiallyTyped.ts
/**
* Checks if a dataset is partially typed.
*
* @param dataset The dataset to check.
* @param paths The paths to check.
*
* @returns Whether it is partially typed.
*
* @internal
*/
/* @__NO_SIDE_EFFECTS__ */
function _isPartiallyTyped(dataset, paths) {
	if (dataset.issues) for (const path of paths) for (const issue of dataset.issues) {
		let typed = false;
		const bound = Math.min(path.length, issue.path?.length ?? 0);
		for (let index = 0; index < bound; index++) if (path[index] !== issue.path[index].key && (path[index] !== "$" || issue.path[index].type !== "array")) {
			typed = true;
			break;
		}
		if (!typed) return false;
	}
	return true;
}

//#endregion
//#region src/actions/partialCheck/partialCheck.ts
/* @__NO_SIDE_EFFECTS__ */
function partialCheck(paths, requirement, message$1) {
	return {
		kind: "validation",
		type: "partial_check",
		reference: partialCheck,
		async: false,
		expects: null,
		paths,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if ((dataset.typed || /* @__PURE__ */ _isPartiallyTyped(dataset, paths)) && !this.requirement(dataset.value)) _addIssue(this, "input", dataset, config$1);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/partialCheck/partialCheckAsync.ts
/* @__NO_SIDE_EFFECTS__ */
function partialCheckAsync(paths, requirement, message$1) {
	return {
		kind: "validation",
		type: "partial_check",
		reference: partialCheckAsync,
		async: true,
		expects: null,
		paths,
		requirement,
		message: message$1,
		async "~run"(dataset, config$1) {
			if ((dataset.typed || /* @__PURE__ */ _isPartiallyTyped(dataset, paths)) && !await this.requirement(dataset.value)) _addIssue(this, "input", dataset, config$1);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/rawCheck/rawCheck.ts
/**
* Creates a raw check validation action.
*
* @param action The validation action.
*
* @returns A raw check action.
*/
/* @__NO_SIDE_EFFECTS__ */
function rawCheck(action) {
	return {
		kind: "validation",
		type: "raw_check",
		reference: rawCheck,
		async: false,
		expects: null,
		"~run"(dataset, config$1) {
			action({
				dataset,
				config: config$1,
				addIssue: (info) => _addIssue(this, info?.label ?? "input", dataset, config$1, info)
			});
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/rawCheck/rawCheckAsync.ts
/**
* Creates a raw check validation action.
*
* @param action The validation action.
*
* @returns A raw check action.
*/
/* @__NO_SIDE_EFFECTS__ */
function rawCheckAsync(action) {
	return {
		kind: "validation",
		type: "raw_check",
		reference: rawCheckAsync,
		async: true,
		expects: null,
		async "~run"(dataset, config$1) {
			await action({
				dataset,
				config: config$1,
				addIssue: (info) => _addIssue(this, info?.label ?? "input", dataset, config$1, info)
			});
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/rawTransform/rawTransform.ts
/**
* Creates a raw transformation action.
*
* @param action The transformation action.
*
* @returns A raw transform action.
*/
/* @__NO_SIDE_EFFECTS__ */
function rawTransform(action) {
	return {
		kind: "transformation",
		type: "raw_transform",
		reference: rawTransform,
		async: false,
		"~run"(dataset, config$1) {
			const output = action({
				dataset,
				config: config$1,
				addIssue: (info) => _addIssue(this, info?.label ?? "input", dataset, config$1, info),
				NEVER: null
			});
			if (dataset.issues) dataset.typed = false;
			else dataset.value = output;
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/rawTransform/rawTransformAsync.ts
/**
* Creates a raw transformation action.
*
* @param action The transformation action.
*
* @returns A raw transform action.
*/
/* @__NO_SIDE_EFFECTS__ */
function rawTransformAsync(action) {
	return {
		kind: "transformation",
		type: "raw_transform",
		reference: rawTransformAsync,
		async: true,
		async "~run"(dataset, config$1) {
			const output = await action({
				dataset,
				config: config$1,
				addIssue: (info) => _addIssue(this, info?.label ?? "input", dataset, config$1, info),
				NEVER: null
			});
			if (dataset.issues) dataset.typed = false;
			else dataset.value = output;
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/readonly/readonly.ts
/* @__NO_SIDE_EFFECTS__ */
function readonly() {
	return {
		kind: "transformation",
		type: "readonly",
		reference: readonly,
		async: false,
		"~run"(dataset) {
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/reduceItems/reduceItems.ts
/* @__NO_SIDE_EFFECTS__ */
function reduceItems(operation, initial) {
	return {
		kind: "transformation",
		type: "reduce_items",
		reference: reduceItems,
		async: false,
		operation,
		initial,
		"~run"(dataset) {
			dataset.value = dataset.value.reduce(this.operation, this.initial);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/regex/regex.ts
/* @__NO_SIDE_EFFECTS__ */
function regex(requirement, message$1) {
	return {
		kind: "validation",
		type: "regex",
		reference: regex,
		async: false,
		expects: `${requirement}`,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement.test(dataset.value)) _addIssue(this, "format", dataset, config$1);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/returns/returns.ts
/* @__NO_SIDE_EFFECTS__ */
function returns(schema) {
	return {
		kind: "transformation",
		type: "returns",
		reference: returns,
		async: false,
		schema,
		"~run"(dataset, config$1) {
			const func = dataset.value;
			dataset.value = (...args_) => {
				const returnsDataset = this.schema["~run"]({ value: func(...args_) }, config$1);
				if (returnsDataset.issues) throw new ValiError(returnsDataset.issues);
				return returnsDataset.value;
			};
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/returns/returnsAsync.ts
/* @__NO_SIDE_EFFECTS__ */
function returnsAsync(schema) {
	return {
		kind: "transformation",
		type: "returns",
		reference: returnsAsync,
		async: false,
		schema,
		"~run"(dataset, config$1) {
			const func = dataset.value;
			dataset.value = async (...args_) => {
				const returnsDataset = await this.schema["~run"]({ value: await func(...args_) }, config$1);
				if (returnsDataset.issues) throw new ValiError(returnsDataset.issues);
				return returnsDataset.value;
			};
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/rfcEmail/rfcEmail.ts
/* @__NO_SIDE_EFFECTS__ */
function rfcEmail(message$1) {
	return {
		kind: "validation",
		type: "rfc_email",
		reference: rfcEmail,
		expects: null,
		async: false,
		requirement: RFC_EMAIL_REGEX,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement.test(dataset.value)) _addIssue(this, "email", dataset, config$1);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/safeInteger/safeInteger.ts
/* @__NO_SIDE_EFFECTS__ */
function safeInteger(message$1) {
	return {
		kind: "validation",
		type: "safe_integer",
		reference: safeInteger,
		async: false,
		expects: null,
		requirement: Number.isSafeInteger,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement(dataset.value)) _addIssue(this, "safe integer", dataset, config$1);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/size/size.ts
/* @__NO_SIDE_EFFECTS__ */
function size(requirement, message$1) {
	return {
		kind: "validation",
		type: "size",
		reference: size,
		async: false,
		expects: `${requirement}`,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && dataset.value.size !== this.requirement) _addIssue(this, "size", dataset, config$1, { received: `${dataset.value.size}` });
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/slug/slug.ts
/* @__NO_SIDE_EFFECTS__ */
function slug(message$1) {
	return {
		kind: "validation",
		type: "slug",
		reference: slug,
		async: false,
		expects: null,
		requirement: SLUG_REGEX,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement.test(dataset.value)) _addIssue(this, "slug", dataset, config$1);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/someItem/someItem.ts
/* @__NO_SIDE_EFFECTS__ */
function someItem(requirement, message$1) {
	return {
		kind: "validation",
		type: "some_item",
		reference: someItem,
		async: false,
		expects: null,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !dataset.value.some(this.requirement)) _addIssue(this, "item", dataset, config$1);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/sortItems/sortItems.ts
/* @__NO_SIDE_EFFECTS__ */
function sortItems(operation) {
	return {
		kind: "transformation",
		type: "sort_items",
		reference: sortItems,
		async: false,
		operation,
		"~run"(dataset) {
			dataset.value = dataset.value.sort(this.operation);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/startsWith/startsWith.ts
/* @__NO_SIDE_EFFECTS__ */
function startsWith(requirement, message$1) {
	return {
		kind: "validation",
		type: "starts_with",
		reference: startsWith,
		async: false,
		expects: `"${requirement}"`,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !dataset.value.startsWith(this.requirement)) _addIssue(this, "start", dataset, config$1, { received: `"${dataset.value.slice(0, this.requirement.length)}"` });
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/stringifyJson/stringifyJson.ts
/* @__NO_SIDE_EFFECTS__ */
function stringifyJson(config$1, message$1) {
	return {
		kind: "transformation",
		type: "stringify_json",
		reference: stringifyJson,
		message: message$1,
		config: config$1,
		async: false,
		"~run"(dataset, config$2) {
			try {
				const output = JSON.stringify(dataset.value, this.config?.replacer, this.config?.space);
				if (output === void 0) {
					_addIssue(this, "JSON", dataset, config$2);
					dataset.typed = false;
				} else dataset.value = output;
			} catch (error) {
				if (error instanceof Error) {
					_addIssue(this, "JSON", dataset, config$2, { received: `"${error.message}"` });
					dataset.typed = false;
				} else throw error;
			}
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/title/title.ts
/**
* Creates a title metadata action.
*
* @param title_ The title text.
*
* @returns A title action.
*/
/* @__NO_SIDE_EFFECTS__ */
function title(title_) {
	return {
		kind: "metadata",
		type: "title",
		reference: title,
		title: title_
	};
}

//#endregion
//#region src/actions/toBigint/toBigint.ts
/* @__NO_SIDE_EFFECTS__ */
function toBigint(message$1) {
	return {
		kind: "transformation",
		type: "to_bigint",
		reference: toBigint,
		async: false,
		message: message$1,
		"~run"(dataset, config$1) {
			try {
				dataset.value = BigInt(dataset.value);
			} catch {
				_addIssue(this, "bigint", dataset, config$1);
				dataset.typed = false;
			}
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/toBoolean/toBoolean.ts
/**
* Creates a to boolean transformation action.
*
* @returns A to boolean action.
*
* @beta
*/
/* @__NO_SIDE_EFFECTS__ */
function toBoolean() {
	return {
		kind: "transformation",
		type: "to_boolean",
		reference: toBoolean,
		async: false,
		"~run"(dataset) {
			dataset.value = Boolean(dataset.value);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/toCamelCase/toCamelCase.ts
/**
* Creates a to camel case transformation action.
*
* Words are separated by `_`, `-` and ASCII whitespace, as well as by case
* and acronym boundaries.
*
* Hint: Acronym runs are normalized to lowercase (e.g. `parseURLValue` →
* `parseUrlValue`) and digits stay attached to the preceding token (e.g.
* `item2Name` → `item2Name`).
*
* @returns A to camel case action.
*
* @beta
*/
/* @__NO_SIDE_EFFECTS__ */
function toCamelCase() {
	return {
		kind: "transformation",
		type: "to_camel_case",
		reference: toCamelCase,
		async: false,
		"~run"(dataset) {
			dataset.value = /* @__PURE__ */ _formatCase(dataset.value, "", false, true);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/toDate/toDate.ts
/* @__NO_SIDE_EFFECTS__ */
function toDate(message$1) {
	return {
		kind: "transformation",
		type: "to_date",
		reference: toDate,
		async: false,
		message: message$1,
		"~run"(dataset, config$1) {
			try {
				dataset.value = new Date(dataset.value);
				if (isNaN(dataset.value)) {
					_addIssue(this, "date", dataset, config$1, { received: "\"Invalid Date\"" });
					dataset.typed = false;
				}
			} catch {
				_addIssue(this, "date", dataset, config$1);
				dataset.typed = false;
			}
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/toKebabCase/toKebabCase.ts
/**
* Creates a to kebab case transformation action.
*
* Words are separated by `_`, `-` and ASCII whitespace, as well as by case
* and acronym boundaries.
*
* Hint: Acronym runs are normalized to lowercase (e.g. `parseURLValue` →
* `parse-url-value`) and digits stay attached to the preceding token (e.g.
* `item2Name` → `item2-name`).
*
* @returns A to kebab case action.
*
* @beta
*/
/* @__NO_SIDE_EFFECTS__ */
function toKebabCase() {
	return {
		kind: "transformation",
		type: "to_kebab_case",
		reference: toKebabCase,
		async: false,
		"~run"(dataset) {
			dataset.value = /* @__PURE__ */ _formatCase(dataset.value, "-", false, false);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/toLowerCase/toLowerCase.ts
/**
* Creates a to lower case transformation action.
*
* @returns A to lower case action.
*/
/* @__NO_SIDE_EFFECTS__ */
function toLowerCase() {
	return {
		kind: "transformation",
		type: "to_lower_case",
		reference: toLowerCase,
		async: false,
		"~run"(dataset) {
			dataset.value = dataset.value.toLowerCase();
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/toMaxValue/toMaxValue.ts
/**
* Creates a to max value transformation action.
*
* @param requirement The maximum value.
*
* @returns A to max value action.
*/
/* @__NO_SIDE_EFFECTS__ */
function toMaxValue(requirement) {
	return {
		kind: "transformation",
		type: "to_max_value",
		reference: toMaxValue,
		async: false,
		requirement,
		"~run"(dataset) {
			dataset.value = dataset.value > this.requirement ? this.requirement : dataset.value;
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/toMinValue/toMinValue.ts
/**
* Creates a to min value transformation action.
*
* @param requirement The minimum value.
*
* @returns A to min value action.
*/
/* @__NO_SIDE_EFFECTS__ */
function toMinValue(requirement) {
	return {
		kind: "transformation",
		type: "to_min_value",
		reference: toMinValue,
		async: false,
		requirement,
		"~run"(dataset) {
			dataset.value = dataset.value < this.requirement ? this.requirement : dataset.value;
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/toNumber/toNumber.ts
/* @__NO_SIDE_EFFECTS__ */
function toNumber(message$1) {
	return {
		kind: "transformation",
		type: "to_number",
		reference: toNumber,
		async: false,
		message: message$1,
		"~run"(dataset, config$1) {
			try {
				dataset.value = Number(dataset.value);
				if (isNaN(dataset.value)) {
					_addIssue(this, "number", dataset, config$1);
					dataset.typed = false;
				}
			} catch {
				_addIssue(this, "number", dataset, config$1);
				dataset.typed = false;
			}
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/toPascalCase/toPascalCase.ts
/**
* Creates a to pascal case transformation action.
*
* Words are separated by `_`, `-` and ASCII whitespace, as well as by case
* and acronym boundaries.
*
* Hint: Acronym runs are normalized to lowercase (e.g. `parseURLValue` →
* `ParseUrlValue`) and digits stay attached to the preceding token (e.g.
* `item2Name` → `Item2Name`).
*
* @returns A to pascal case action.
*
* @beta
*/
/* @__NO_SIDE_EFFECTS__ */
function toPascalCase() {
	return {
		kind: "transformation",
		type: "to_pascal_case",
		reference: toPascalCase,
		async: false,
		"~run"(dataset) {
			dataset.value = /* @__PURE__ */ _formatCase(dataset.value, "", true, true);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/toSnakeCase/toSnakeCase.ts
/**
* Creates a to snake case transformation action.
*
* Words are separated by `_`, `-` and ASCII whitespace, as well as by case
* and acronym boundaries.
*
* Hint: Acronym runs are normalized to lowercase (e.g. `parseURLValue` →
* `parse_url_value`) and digits stay attached to the preceding token (e.g.
* `item2Name` → `item2_name`).
*
* @returns A to snake case action.
*
* @beta
*/
/* @__NO_SIDE_EFFECTS__ */
function toSnakeCase() {
	return {
		kind: "transformation",
		type: "to_snake_case",
		reference: toSnakeCase,
		async: false,
		"~run"(dataset) {
			dataset.value = /* @__PURE__ */ _formatCase(dataset.value, "_", false, false);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/toString/toString.ts
/* @__NO_SIDE_EFFECTS__ */
function toString(message$1) {
	return {
		kind: "transformation",
		type: "to_string",
		reference: toString,
		async: false,
		message: message$1,
		"~run"(dataset, config$1) {
			try {
				dataset.value = String(dataset.value);
			} catch {
				_addIssue(this, "string", dataset, config$1);
				dataset.typed = false;
			}
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/toUpperCase/toUpperCase.ts
/**
* Creates a to upper case transformation action.
*
* @returns A to upper case action.
*/
/* @__NO_SIDE_EFFECTS__ */
function toUpperCase() {
	return {
		kind: "transformation",
		type: "to_upper_case",
		reference: toUpperCase,
		async: false,
		"~run"(dataset) {
			dataset.value = dataset.value.toUpperCase();
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/transform/transform.ts
/**
* Creates a custom transformation action.
*
* @param operation The transformation operation.
*
* @returns A transform action.
*/
/* @__NO_SIDE_EFFECTS__ */
function transform(operation) {
	return {
		kind: "transformation",
		type: "transform",
		reference: transform,
		async: false,
		operation,
		"~run"(dataset) {
			dataset.value = this.operation(dataset.value);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/transform/transformAsync.ts
/**
* Creates a custom transformation action.
*
* @param operation The transformation operation.
*
* @returns A transform action.
*/
/* @__NO_SIDE_EFFECTS__ */
function transformAsync(operation) {
	return {
		kind: "transformation",
		type: "transform",
		reference: transformAsync,
		async: true,
		operation,
		async "~run"(dataset) {
			dataset.value = await this.operation(dataset.value);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/trim/trim.ts
/**
* Creates a trim transformation action.
*
* @returns A trim action.
*/
/* @__NO_SIDE_EFFECTS__ */
function trim() {
	return {
		kind: "transformation",
		type: "trim",
		reference: trim,
		async: false,
		"~run"(dataset) {
			dataset.value = dataset.value.trim();
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/trimEnd/trimEnd.ts
/**
* Creates a trim end transformation action.
*
* @returns A trim end action.
*/
/* @__NO_SIDE_EFFECTS__ */
function trimEnd() {
	return {
		kind: "transformation",
		type: "trim_end",
		reference: trimEnd,
		async: false,
		"~run"(dataset) {
			dataset.value = dataset.value.trimEnd();
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/trimStart/trimStart.ts
/**
* Creates a trim start transformation action.
*
* @returns A trim start action.
*/
/* @__NO_SIDE_EFFECTS__ */
function trimStart() {
	return {
		kind: "transformation",
		type: "trim_start",
		reference: trimStart,
		async: false,
		"~run"(dataset) {
			dataset.value = dataset.value.trimStart();
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/ulid/ulid.ts
/* @__NO_SIDE_EFFECTS__ */
function ulid(message$1) {
	return {
		kind: "validation",
		type: "ulid",
		reference: ulid,
		async: false,
		expects: null,
		requirement: ULID_REGEX,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement.test(dataset.value)) _addIssue(this, "ULID", dataset, config$1);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/url/url.ts
/* @__NO_SIDE_EFFECTS__ */
function url(message$1) {
	return {
		kind: "validation",
		type: "url",
		reference: url,
		async: false,
		expects: null,
		requirement(input) {
			try {
				if (URL.canParse) return URL.canParse(input);
				new URL(input);
				return true;
			} catch {
				return false;
			}
		},
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement(dataset.value)) _addIssue(this, "URL", dataset, config$1);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/uuid/uuid.ts
/* @__NO_SIDE_EFFECTS__ */
function uuid(message$1) {
	return {
		kind: "validation",
		type: "uuid",
		reference: uuid,
		async: false,
		expects: null,
		requirement: UUID_REGEX,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement.test(dataset.value)) _addIssue(this, "UUID", dataset, config$1);
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/value/value.ts
/* @__NO_SIDE_EFFECTS__ */
function value(requirement, message$1) {
	return {
		kind: "validation",
		type: "value",
		reference: value,
		async: false,
		expects: requirement instanceof Date ? requirement.toJSON() : /* @__PURE__ */ _stringify(requirement),
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !/* @__PURE__ */ _isValueMatch(this.requirement, dataset.value)) _addIssue(this, "value", dataset, config$1, { received: dataset.value instanceof Date ? dataset.value.toJSON() : /* @__PURE__ */ _stringify(dataset.value) });
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/values/values.ts
/* @__NO_SIDE_EFFECTS__ */
function values(requirement, message$1) {
	return {
		kind: "validation",
		type: "values",
		reference: values,
		async: false,
		expects: `${/* @__PURE__ */ _joinExpects(requirement.map((value$1) => value$1 instanceof Date ? value$1.toJSON() : /* @__PURE__ */ _stringify(value$1)), "|")}`,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement.some((requirement$1) => /* @__PURE__ */ _isValueMatch(requirement$1, dataset.value))) _addIssue(this, "value", dataset, config$1, { received: dataset.value instanceof Date ? dataset.value.toJSON() : /* @__PURE__ */ _stringify(dataset.value) });
			return dataset;
		}
	};
}

//#endregion
//#region src/actions/words/words.ts
/* @__NO_SIDE_EFFECTS__ */
function words(locales, requirement, message$1) {
	return {
		kind: "validation",
		type: "words",
		reference: words,
		async: false,
		expects: `${requirement}`,
		locales,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed) {
				const count = /* @__PURE__ */ _getWordCount(this.locales, dataset.value);
				if (count !== this.requirement) _addIssue(this, "words", dataset, config$1, { received: `${count}` });
			}
			return dataset;
		}
	};
}

//#endregion
//#region src/const.ts
const ABORT_EARLY_CONFIG = { abortEarly: true };

//#endregion
//#region src/methods/assert/assert.ts
/**
* Checks if the input matches the schema. As this is an assertion function, it
* can be used as a type guard.
*
* @param schema The schema to be used.
* @param input The input to be tested.
*/
function assert(schema, input) {
	const issues = schema["~run"]({ value: input }, ABORT_EARLY_CONFIG).issues;
	if (issues) throw new ValiError(issues);
}

//#endregion
//#region src/methods/cache/_LruCache.ts
/**
* Efficient LRU cache using Map iteration order.
*/
var _LruCache = class {
	constructor(config$1) {
		this.refCount = 0;
		this.maxSize = config$1?.maxSize ?? 1e3;
		this.maxAge = config$1?.maxAge ?? Infinity;
		this.hasMaxAge = isFinite(this.maxAge);
	}
	/**
	* Stringifies an unknown input to a cache key component.
	*
	* @param input The unknown input.
	*
	* @returns A cache key component.
	*/
	stringify(input) {
		const type = typeof input;
		if (type === "string") return `"${input}"`;
		if (type === "number" || type === "boolean") return `${input}`;
		if (type === "bigint") return `${input}n`;
		if (type === "object" || type === "function") {
			if (input) {
				this.refIds ?? (this.refIds = /* @__PURE__ */ new WeakMap());
				let id = this.refIds.get(input);
				if (!id) {
					id = ++this.refCount;
					this.refIds.set(input, id);
				}
				return `#${id}`;
			}
			return "null";
		}
		return type;
	}
	/**
	* Creates a cache key from input and config.
	*
	* @param input The input value.
	* @param config The parse configuration.
	*
	* @returns The cache key.
	*/
	key(input, config$1 = {}) {
		return `${this.stringify(input)}|${this.stringify(config$1.lang)}|${this.stringify(config$1.message)}|${this.stringify(config$1.abortEarly)}|${this.stringify(config$1.abortPipeEarly)}`;
	}
	/**
	* Gets a value from the cache by key.
	*
	* @param key The cache key.
	*
	* @returns The cached value.
	*/
	get(key) {
		if (!this.store) return void 0;
		const entry = this.store.get(key);
		if (!entry) return void 0;
		if (this.hasMaxAge && Date.now() - entry[1] > this.maxAge) {
			this.store.delete(key);
			return;
		}
		this.store.delete(key);
		this.store.set(key, entry);
		return entry[0];
	}
	/**
	* Sets a value in the cache by key.
	*
	* @param key The cache key.
	* @param value The cached value.
	*/
	set(key, value$1) {
		this.store ?? (this.store = /* @__PURE__ */ new Map());
		this.store.delete(key);
		const timestamp = this.hasMaxAge ? Date.now() : 0;
		this.store.set(key, [value$1, timestamp]);
		if (this.store.size > this.maxSize) this.store.delete(this.store.keys().next().value);
	}
	/**
	* Clears all entries from the cache.
	*/
	clear() {
		this.store?.clear();
	}
};

//#endregion
//#region src/methods/cache/cache.ts
/* @__NO_SIDE_EFFECTS__ */
function cache(schema, config$1) {
	return _standardSchema({
		...schema,
		cacheConfig: config$1,
		cache: new _LruCache(config$1),
		"~run"(dataset, runConfig) {
			const key = this.cache.key(dataset.value, runConfig);
			let outputDataset = this.cache.get(key);
			if (!outputDataset) this.cache.set(key, outputDataset = schema["~run"](dataset, runConfig));
			return /* @__PURE__ */ _cloneDataset(outputDataset);
		}
	});
}

//#endregion
//#region src/methods/cache/cacheAsync.ts
/* @__NO_SIDE_EFFECTS__ */
function cacheAsync(schema, config$1) {
	let activeRuns;
	return _standardSchema({
		...schema,
		async: true,
		cacheConfig: config$1,
		cache: new _LruCache(config$1),
		async "~run"(dataset, runConfig) {
			const key = this.cache.key(dataset.value, runConfig);
			const cached = this.cache.get(key);
			if (cached) return /* @__PURE__ */ _cloneDataset(cached);
			let promise$1 = activeRuns?.get(key);
			if (!promise$1) {
				activeRuns ?? (activeRuns = /* @__PURE__ */ new Map());
				promise$1 = Promise.resolve(schema["~run"](dataset, runConfig));
				activeRuns.set(key, promise$1);
			}
			try {
				const outputDataset = await promise$1;
				this.cache.set(key, outputDataset);
				return /* @__PURE__ */ _cloneDataset(outputDataset);
			} finally {
				activeRuns?.delete(key);
			}
		}
	});
}

//#endregion
//#region src/methods/config/config.ts
/**
* Changes the local configuration of a schema.
*
* @param schema The schema to configure.
* @param config The parse configuration.
*
* @returns The configured schema.
*/
/* @__NO_SIDE_EFFECTS__ */
function config(schema, config$1) {
	return _standardSchema({
		...schema,
		"~run"(dataset, config_) {
			return schema["~run"](dataset, {
				...config_,
				...config$1
			});
		}
	});
}

//#endregion
//#region src/methods/getFallback/getFallback.ts
/**
* Returns the fallback value of the schema.
*
* @param schema The schema to get it from.
* @param dataset The output dataset if available.
* @param config The config if available.
*
* @returns The fallback value.
*/
/* @__NO_SIDE_EFFECTS__ */
function getFallback(schema, dataset, config$1) {
	return typeof schema.fallback === "function" ? schema.fallback(dataset, config$1) : schema.fallback;
}

//#endregion
//#region src/methods/fallback/fallback.ts
/**
* Returns a fallback value as output if the input does not match the schema.
*
* @param schema The schema to catch.
* @param fallback The fallback value.
*
* @returns The passed schema.
*/
/* @__NO_SIDE_EFFECTS__ */
function fallback(schema, fallback$1) {
	return _standardSchema({
		...schema,
		fallback: fallback$1,
		"~run"(dataset, config$1) {
			const outputDataset = schema["~run"](dataset, config$1);
			return outputDataset.issues ? {
				typed: true,
				value: /* @__PURE__ */ getFallback(this, outputDataset, config$1)
			} : outputDataset;
		}
	});
}

//#endregion
//#region src/methods/fallback/fallbackAsync.ts
/* @__NO_SIDE_EFFECTS__ */
function fallbackAsync(schema, fallback$1) {
	return _standardSchema({
		...schema,
		fallback: fallback$1,
		async: true,
		async "~run"(dataset, config$1) {
			const outputDataset = await schema["~run"](dataset, config$1);
			return outputDataset.issues ? {
				typed: true,
				value: await /* @__PURE__ */ getFallback(this, outputDataset, config$1)
			} : outputDataset;
		}
	});
}

//#endregion
//#region src/methods/flatten/flatten.ts
/* @__NO_SIDE_EFFECTS__ */
function flatten(issues) {
	const flatErrors = {};
	for (const issue of issues) if (issue.path) {
		const dotPath = /* @__PURE__ */ getDotPath(issue);
		if (dotPath) {
			if (!flatErrors.nested) flatErrors.nested = {};
			if (Object.prototype.hasOwnProperty.call(flatErrors.nested, dotPath)) flatErrors.nested[dotPath].push(issue.message);
			else flatErrors.nested[dotPath] = [issue.message];
		} else if (flatErrors.other) flatErrors.other.push(issue.message);
		else flatErrors.other = [issue.message];
	} else if (flatErrors.root) flatErrors.root.push(issue.message);
	else flatErrors.root = [issue.message];
	return flatErrors;
}

//#endregion
//#region src/methods/forward/forward.ts
/**
* Forwards the issues of the passed validation action.
*
* @param action The validation action.
* @param path The path to forward the issues to.
*
* @returns The modified action.
*/
/* @__NO_SIDE_EFFECTS__ */
function forward(action, path) {
	return {
		...action,
		"~run"(dataset, config$1) {
			const prevIssues = dataset.issues && [...dataset.issues];
			dataset = action["~run"](dataset, config$1);
			if (dataset.issues) {
				for (const issue of dataset.issues) if (!prevIssues?.includes(issue)) {
					let pathInput = dataset.value;
					for (const key of path) {
						const pathValue = pathInput[key];
						const pathItem = {
							type: "unknown",
							origin: "value",
							input: pathInput,
							key,
							value: pathValue
						};
						if (issue.path) issue.path.push(pathItem);
						else issue.path = [pathItem];
						if (!pathValue) break;
						pathInput = pathValue;
					}
				}
			}
			return dataset;
		}
	};
}

//#endregion
//#region src/methods/forward/forwardAsync.ts
/**
* Forwards the issues of the passed validation action.
*
* @param action The validation action.
* @param path The path to forward the issues to.
*
* @returns The modified action.
*/
/* @__NO_SIDE_EFFECTS__ */
function forwardAsync(action, path) {
	return {
		...action,
		async: true,
		async "~run"(dataset, config$1) {
			const prevIssues = dataset.issues && [...dataset.issues];
			dataset = await action["~run"](dataset, config$1);
			if (dataset.issues) {
				for (const issue of dataset.issues) if (!prevIssues?.includes(issue)) {
					let pathInput = dataset.value;
					for (const key of path) {
						const pathValue = pathInput[key];
						const pathItem = {
							type: "unknown",
							origin: "value",
							input: pathInput,
							key,
							value: pathValue
						};
						if (issue.path) issue.path.push(pathItem);
						else issue.path = [pathItem];
						if (!pathValue) break;
						pathInput = pathValue;
					}
				}
			}
			return dataset;
		}
	};
}

//#endregion
//#region src/methods/getDefault/getDefault.ts
/**
* Returns the default value of the schema.
*
* @param schema The schema to get it from.
* @param dataset The input dataset if available.
* @param config The config if available.
*
* @returns The default value.
*/
/* @__NO_SIDE_EFFECTS__ */
function getDefault(schema, dataset, config$1) {
	return typeof schema.default === "function" ? schema.default(dataset, config$1) : schema.default;
}

//#endregion
//#region src/methods/getDefaults/getDefaults.ts
/**
* Returns the default values of the schema.
*
* Hint: The difference to `getDefault` is that for object and tuple schemas
* this function recursively returns the default values of the subschemas
* instead of `undefined`.
*
* @param schema The schema to get them from.
*
* @returns The default values.
*/
/* @__NO_SIDE_EFFECTS__ */
function getDefaults(schema) {
	if ("entries" in schema) {
		const object$1 = {};
		for (const key in schema.entries) object$1[key] = /* @__PURE__ */ getDefaults(schema.entries[key]);
		return object$1;
	}
	if ("items" in schema) return schema.items.map(getDefaults);
	return /* @__PURE__ */ getDefault(schema);
}

//#endregion
//#region src/methods/getDefaults/getDefaultsAsync.ts
/**
* Returns the default values of the schema.
*
* Hint: The difference to `getDefault` is that for object and tuple schemas
* this function recursively returns the default values of the subschemas
* instead of `undefined`.
*
* @param schema The schema to get them from.
*
* @returns The default values.
*/
/* @__NO_SIDE_EFFECTS__ */
async function getDefaultsAsync(schema) {
	if ("entries" in schema) return Object.fromEntries(await Promise.all(Object.entries(schema.entries).map(async ([key, value$1]) => [key, await /* @__PURE__ */ getDefaultsAsync(value$1)])));
	if ("items" in schema) return Promise.all(schema.items.map(getDefaultsAsync));
	return /* @__PURE__ */ getDefault(schema);
}

//#endregion
//#region src/methods/getDescription/getDescription.ts
/**
* Returns the description of the schema.
*
* If multiple descriptions are defined, the last one of the highest level is
* returned. If no description is defined, `undefined` is returned.
*
* @param schema The schema to get the description from.
*
* @returns The description, if any.
*
* @beta
*/
/* @__NO_SIDE_EFFECTS__ */
function getDescription(schema) {
	return /* @__PURE__ */ _getLastMetadata(schema, "description");
}

//#endregion
//#region src/methods/getExamples/getExamples.ts
/**
* Returns the examples of a schema.
*
* If multiple examples are defined, it concatenates them using depth-first
* search. If no examples are defined, an empty array is returned.
*
* @param schema The schema to get the examples from.
*
* @returns The examples, if any.
*
* @beta
*/
/* @__NO_SIDE_EFFECTS__ */
function getExamples(schema) {
	const examples$1 = [];
	function depthFirstCollect(schema$1) {
		if ("pipe" in schema$1) {
			for (const item of schema$1.pipe) if (item.kind === "schema" && "pipe" in item) depthFirstCollect(item);
			else if (item.kind === "metadata" && item.type === "examples") for (const example of item.examples) examples$1.push(example);
		}
	}
	depthFirstCollect(schema);
	return examples$1;
}

//#endregion
//#region src/methods/getFallbacks/getFallbacks.ts
/**
* Returns the fallback values of the schema.
*
* Hint: The difference to `getFallback` is that for object and tuple schemas
* this function recursively returns the fallback values of the subschemas
* instead of `undefined`.
*
* @param schema The schema to get them from.
*
* @returns The fallback values.
*/
/* @__NO_SIDE_EFFECTS__ */
function getFallbacks(schema) {
	if ("entries" in schema) {
		const object$1 = {};
		for (const key in schema.entries) object$1[key] = /* @__PURE__ */ getFallbacks(schema.entries[key]);
		return object$1;
	}
	if ("items" in schema) return schema.items.map(getFallbacks);
	return /* @__PURE__ */ getFallback(schema);
}

//#endregion
//#region src/methods/getFallbacks/getFallbacksAsync.ts
/**
* Returns the fallback values of the schema.
*
* Hint: The difference to `getFallback` is that for object and tuple schemas
* this function recursively returns the fallback values of the subschemas
* instead of `undefined`.
*
* @param schema The schema to get them from.
*
* @returns The fallback values.
*/
/* @__NO_SIDE_EFFECTS__ */
async function getFallbacksAsync(schema) {
	if ("entries" in schema) return Object.fromEntries(await Promise.all(Object.entries(schema.entries).map(async ([key, value$1]) => [key, await /* @__PURE__ */ getFallbacksAsync(value$1)])));
	if ("items" in schema) return Promise.all(schema.items.map(getFallbacksAsync));
	return /* @__PURE__ */ getFallback(schema);
}

//#endregion
//#region src/methods/getMetadata/getMetadata.ts
/**
* Returns the metadata of a schema.
*
* If multiple metadata are defined, it shallowly merges them using depth-first
* search. If no metadata is defined, an empty object is returned.
*
* @param schema Schema to get the metadata from.
*
* @returns The metadata, if any.
*
* @beta
*/
/* @__NO_SIDE_EFFECTS__ */
function getMetadata(schema) {
	const result = {};
	function depthFirstMerge(schema$1) {
		if ("pipe" in schema$1) {
			for (const item of schema$1.pipe) if (item.kind === "schema" && "pipe" in item) depthFirstMerge(item);
			else if (item.kind === "metadata" && item.type === "metadata") Object.assign(result, item.metadata);
		}
	}
	depthFirstMerge(schema);
	return result;
}

//#endregion
//#region src/methods/getTitle/getTitle.ts
/**
* Returns the title of the schema.
*
* If multiple titles are defined, the last one of the highest level is
* returned. If no title is defined, `undefined` is returned.
*
* @param schema The schema to get the title from.
*
* @returns The title, if any.
*
* @beta
*/
/* @__NO_SIDE_EFFECTS__ */
function getTitle(schema) {
	return /* @__PURE__ */ _getLastMetadata(schema, "title");
}

//#endregion
//#region src/methods/is/is.ts
/**
* Checks if the input matches the schema. By using a type predicate, this
* function can be used as a type guard.
*
* @param schema The schema to be used.
* @param input The input to be tested.
*
* @returns Whether the input matches the schema.
*/
/* @__NO_SIDE_EFFECTS__ */
function is(schema, input) {
	return !schema["~run"]({ value: input }, ABORT_EARLY_CONFIG).issues;
}

//#endregion
//#region src/schemas/any/any.ts
/**
* Creates an any schema.
*
* Hint: This schema function exists only for completeness and is not
* recommended in practice. Instead, `unknown` should be used to accept
* unknown data.
*
* @returns An any schema.
*/
/* @__NO_SIDE_EFFECTS__ */
function any() {
	return _standardSchema({
		kind: "schema",
		type: "any",
		reference: any,
		expects: "any",
		async: false,
		"~run"(dataset) {
			dataset.typed = true;
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/array/array.ts
/* @__NO_SIDE_EFFECTS__ */
function array(item, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "array",
		reference: array,
		expects: "Array",
		async: false,
		item,
		message: message$1,
		"~run"(dataset, config$1) {
			const input = dataset.value;
			if (Array.isArray(input)) {
				dataset.typed = true;
				dataset.value = [];
				for (let key = 0; key < input.length; key++) {
					const value$1 = input[key];
					const itemDataset = this.item["~run"]({ value: value$1 }, config$1);
					if (itemDataset.issues) {
						const pathItem = {
							type: "array",
							origin: "value",
							input,
							key,
							value: value$1
						};
						for (const issue of itemDataset.issues) {
							if (issue.path) issue.path.unshift(pathItem);
							else issue.path = [pathItem];
							dataset.issues?.push(issue);
						}
						if (!dataset.issues) dataset.issues = itemDataset.issues;
						if (config$1.abortEarly) {
							dataset.typed = false;
							break;
						}
					}
					if (!itemDataset.typed) dataset.typed = false;
					dataset.value.push(itemDataset.value);
				}
			} else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/array/arrayAsync.ts
/* @__NO_SIDE_EFFECTS__ */
function arrayAsync(item, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "array",
		reference: arrayAsync,
		expects: "Array",
		async: true,
		item,
		message: message$1,
		async "~run"(dataset, config$1) {
			const input = dataset.value;
			if (Array.isArray(input)) {
				dataset.typed = true;
				dataset.value = [];
				const itemDatasets = await Promise.all(input.map((value$1) => this.item["~run"]({ value: value$1 }, config$1)));
				for (let key = 0; key < itemDatasets.length; key++) {
					const itemDataset = itemDatasets[key];
					if (itemDataset.issues) {
						const pathItem = {
							type: "array",
							origin: "value",
							input,
							key,
							value: input[key]
						};
						for (const issue of itemDataset.issues) {
							if (issue.path) issue.path.unshift(pathItem);
							else issue.path = [pathItem];
							dataset.issues?.push(issue);
						}
						if (!dataset.issues) dataset.issues = itemDataset.issues;
						if (config$1.abortEarly) {
							dataset.typed = false;
							break;
						}
					}
					if (!itemDataset.typed) dataset.typed = false;
					dataset.value.push(itemDataset.value);
				}
			} else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/bigint/bigint.ts
/* @__NO_SIDE_EFFECTS__ */
function bigint(message$1) {
	return _standardSchema({
		kind: "schema",
		type: "bigint",
		reference: bigint,
		expects: "bigint",
		async: false,
		message: message$1,
		"~run"(dataset, config$1) {
			if (typeof dataset.value === "bigint") dataset.typed = true;
			else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/blob/blob.ts
/* @__NO_SIDE_EFFECTS__ */
function blob(message$1) {
	return _standardSchema({
		kind: "schema",
		type: "blob",
		reference: blob,
		expects: "Blob",
		async: false,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.value instanceof Blob) dataset.typed = true;
			else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/boolean/boolean.ts
/* @__NO_SIDE_EFFECTS__ */
function boolean(message$1) {
	return _standardSchema({
		kind: "schema",
		type: "boolean",
		reference: boolean,
		expects: "boolean",
		async: false,
		message: message$1,
		"~run"(dataset, config$1) {
			if (typeof dataset.value === "boolean") dataset.typed = true;
			else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/custom/custom.ts
/* @__NO_SIDE_EFFECTS__ */
function custom(check$1, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "custom",
		reference: custom,
		expects: "unknown",
		async: false,
		check: check$1,
		message: message$1,
		"~run"(dataset, config$1) {
			if (this.check(dataset.value)) dataset.typed = true;
			else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/custom/customAsync.ts
/* @__NO_SIDE_EFFECTS__ */
function customAsync(check$1, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "custom",
		reference: customAsync,
		expects: "unknown",
		async: true,
		check: check$1,
		message: message$1,
		async "~run"(dataset, config$1) {
			if (await this.check(dataset.value)) dataset.typed = true;
			else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/date/date.ts
/* @__NO_SIDE_EFFECTS__ */
function date(message$1) {
	return _standardSchema({
		kind: "schema",
		type: "date",
		reference: date,
		expects: "Date",
		async: false,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.value instanceof Date) if (!isNaN(dataset.value)) dataset.typed = true;
			else _addIssue(this, "type", dataset, config$1, { received: "\"Invalid Date\"" });
			else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/enum/enum.ts
/* @__NO_SIDE_EFFECTS__ */
function enum_(enum__, message$1) {
	const options = [];
	for (const key in enum__) if (`${+key}` !== key || typeof enum__[key] !== "string" || !Object.is(enum__[enum__[key]], +key)) options.push(enum__[key]);
	return _standardSchema({
		kind: "schema",
		type: "enum",
		reference: enum_,
		expects: /* @__PURE__ */ _joinExpects(options.map(_stringify), "|"),
		async: false,
		enum: enum__,
		options,
		message: message$1,
		"~run"(dataset, config$1) {
			if (this.options.includes(dataset.value)) dataset.typed = true;
			else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/exactOptional/exactOptional.ts
/* @__NO_SIDE_EFFECTS__ */
function exactOptional(wrapped, default_) {
	return _standardSchema({
		kind: "schema",
		type: "exact_optional",
		reference: exactOptional,
		expects: wrapped.expects,
		async: false,
		wrapped,
		default: default_,
		"~run"(dataset, config$1) {
			return this.wrapped["~run"](dataset, config$1);
		}
	});
}

//#endregion
//#region src/schemas/exactOptional/exactOptionalAsync.ts
/* @__NO_SIDE_EFFECTS__ */
function exactOptionalAsync(wrapped, default_) {
	return _standardSchema({
		kind: "schema",
		type: "exact_optional",
		reference: exactOptionalAsync,
		expects: wrapped.expects,
		async: true,
		wrapped,
		default: default_,
		async "~run"(dataset, config$1) {
			return this.wrapped["~run"](dataset, config$1);
		}
	});
}

//#endregion
//#region src/schemas/file/file.ts
/* @__NO_SIDE_EFFECTS__ */
function file(message$1) {
	return _standardSchema({
		kind: "schema",
		type: "file",
		reference: file,
		expects: "File",
		async: false,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.value instanceof File) dataset.typed = true;
			else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/function/function.ts
/* @__NO_SIDE_EFFECTS__ */
function function_(message$1) {
	return _standardSchema({
		kind: "schema",
		type: "function",
		reference: function_,
		expects: "Function",
		async: false,
		message: message$1,
		"~run"(dataset, config$1) {
			if (typeof dataset.value === "function") dataset.typed = true;
			else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/instance/instance.ts
/* @__NO_SIDE_EFFECTS__ */
function instance(class_, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "instance",
		reference: instance,
		expects: class_.name,
		async: false,
		class: class_,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.value instanceof this.class) dataset.typed = true;
			else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/intersect/utils/_merge/_merge.ts
/**
* Merges two values into one single output.
*
* @param value1 First value.
* @param value2 Second value.
*
* @returns The merge dataset.
*
* @internal
*/
/* @__NO_SIDE_EFFECTS__ */
function _merge(value1, value2) {
	if (typeof value1 === typeof value2) {
		if (/* @__PURE__ */ _isSameValueZero(value1, value2) || value1 instanceof Date && value2 instanceof Date && /* @__PURE__ */ _isSameValueZero(+value1, +value2)) return { value: value1 };
		if (value1 && value2 && value1.constructor === Object && value2.constructor === Object) {
			const nextValue = {
				...value1,
				...value2
			};
			for (const key in value2) if (Object.prototype.hasOwnProperty.call(value1, key) && Object.prototype.hasOwnProperty.call(value2, key)) {
				const dataset = /* @__PURE__ */ _merge(value1[key], value2[key]);
				if (dataset.issue) return dataset;
				nextValue[key] = dataset.value;
			}
			return { value: nextValue };
		}
		if (Array.isArray(value1) && Array.isArray(value2)) {
			if (value1.length === value2.length) {
				const nextValue = [...value1];
				for (let index = 0; index < value1.length; index++) {
					const dataset = /* @__PURE__ */ _merge(value1[index], value2[index]);
					if (dataset.issue) return dataset;
					nextValue[index] = dataset.value;
				}
				return { value: nextValue };
			}
		}
	}
	return { issue: true };
}

//#endregion
//#region src/schemas/intersect/intersect.ts
/* @__NO_SIDE_EFFECTS__ */
function intersect(options, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "intersect",
		reference: intersect,
		expects: /* @__PURE__ */ _joinExpects(options.map((option) => option.expects), "&"),
		async: false,
		options,
		message: message$1,
		"~run"(dataset, config$1) {
			if (this.options.length) {
				const input = dataset.value;
				let outputs;
				dataset.typed = true;
				for (const schema of this.options) {
					const optionDataset = schema["~run"]({ value: input }, config$1);
					if (optionDataset.issues) {
						if (dataset.issues) for (const issue of optionDataset.issues) dataset.issues.push(issue);
						else dataset.issues = optionDataset.issues;
						if (config$1.abortEarly) {
							dataset.typed = false;
							break;
						}
					}
					if (!optionDataset.typed) dataset.typed = false;
					if (dataset.typed) if (outputs) outputs.push(optionDataset.value);
					else outputs = [optionDataset.value];
				}
				if (dataset.typed) {
					dataset.value = outputs[0];
					for (let index = 1; index < outputs.length; index++) {
						const mergeDataset = /* @__PURE__ */ _merge(dataset.value, outputs[index]);
						if (mergeDataset.issue) {
							_addIssue(this, "type", dataset, config$1, { received: "unknown" });
							break;
						}
						dataset.value = mergeDataset.value;
					}
				}
			} else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/intersect/intersectAsync.ts
/* @__NO_SIDE_EFFECTS__ */
function intersectAsync(options, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "intersect",
		reference: intersectAsync,
		expects: /* @__PURE__ */ _joinExpects(options.map((option) => option.expects), "&"),
		async: true,
		options,
		message: message$1,
		async "~run"(dataset, config$1) {
			if (this.options.length) {
				const input = dataset.value;
				let outputs;
				dataset.typed = true;
				const optionDatasets = await Promise.all(this.options.map((schema) => schema["~run"]({ value: input }, config$1)));
				for (const optionDataset of optionDatasets) {
					if (optionDataset.issues) {
						if (dataset.issues) for (const issue of optionDataset.issues) dataset.issues.push(issue);
						else dataset.issues = optionDataset.issues;
						if (config$1.abortEarly) {
							dataset.typed = false;
							break;
						}
					}
					if (!optionDataset.typed) dataset.typed = false;
					if (dataset.typed) if (outputs) outputs.push(optionDataset.value);
					else outputs = [optionDataset.value];
				}
				if (dataset.typed) {
					dataset.value = outputs[0];
					for (let index = 1; index < outputs.length; index++) {
						const mergeDataset = /* @__PURE__ */ _merge(dataset.value, outputs[index]);
						if (mergeDataset.issue) {
							_addIssue(this, "type", dataset, config$1, { received: "unknown" });
							break;
						}
						dataset.value = mergeDataset.value;
					}
				}
			} else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/lazy/lazy.ts
/**
* Creates a lazy schema.
*
* @param getter The schema getter.
*
* @returns A lazy schema.
*/
/* @__NO_SIDE_EFFECTS__ */
function lazy(getter) {
	return _standardSchema({
		kind: "schema",
		type: "lazy",
		reference: lazy,
		expects: "unknown",
		async: false,
		getter,
		"~run"(dataset, config$1) {
			return this.getter(dataset.value)["~run"](dataset, config$1);
		}
	});
}

//#endregion
//#region src/schemas/lazy/lazyAsync.ts
/**
* Creates a lazy schema.
*
* @param getter The schema getter.
*
* @returns A lazy schema.
*/
/* @__NO_SIDE_EFFECTS__ */
function lazyAsync(getter) {
	return _standardSchema({
		kind: "schema",
		type: "lazy",
		reference: lazyAsync,
		expects: "unknown",
		async: true,
		getter,
		async "~run"(dataset, config$1) {
			return (await this.getter(dataset.value))["~run"](dataset, config$1);
		}
	});
}

//#endregion
//#region src/schemas/literal/literal.ts
/* @__NO_SIDE_EFFECTS__ */
function literal(literal_, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "literal",
		reference: literal,
		expects: /* @__PURE__ */ _stringify(literal_),
		async: false,
		literal: literal_,
		message: message$1,
		"~run"(dataset, config$1) {
			if (/* @__PURE__ */ _isSameValueZero(dataset.value, this.literal)) dataset.typed = true;
			else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/looseObject/looseObject.ts
/* @__NO_SIDE_EFFECTS__ */
function looseObject(entries$1, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "loose_object",
		reference: looseObject,
		expects: "Object",
		async: false,
		entries: entries$1,
		message: message$1,
		"~run"(dataset, config$1) {
			const input = dataset.value;
			if (input && typeof input === "object") {
				dataset.typed = true;
				dataset.value = {};
				for (const key in this.entries) {
					const valueSchema = this.entries[key];
					if (key in input || (valueSchema.type === "exact_optional" || valueSchema.type === "optional" || valueSchema.type === "nullish") && valueSchema.default !== void 0) {
						const value$1 = key in input ? input[key] : /* @__PURE__ */ getDefault(valueSchema);
						const valueDataset = valueSchema["~run"]({ value: value$1 }, config$1);
						if (valueDataset.issues) {
							const pathItem = {
								type: "object",
								origin: "value",
								input,
								key,
								value: value$1
							};
							for (const issue of valueDataset.issues) {
								if (issue.path) issue.path.unshift(pathItem);
								else issue.path = [pathItem];
								dataset.issues?.push(issue);
							}
							if (!dataset.issues) dataset.issues = valueDataset.issues;
							if (config$1.abortEarly) {
								dataset.typed = false;
								break;
							}
						}
						if (!valueDataset.typed) dataset.typed = false;
						dataset.value[key] = valueDataset.value;
					} else if (valueSchema.fallback !== void 0) dataset.value[key] = /* @__PURE__ */ getFallback(valueSchema);
					else if (valueSchema.type !== "exact_optional" && valueSchema.type !== "optional" && valueSchema.type !== "nullish") {
						_addIssue(this, "key", dataset, config$1, {
							input: void 0,
							expected: `"${key}"`,
							path: [{
								type: "object",
								origin: "key",
								input,
								key,
								value: input[key]
							}]
						});
						if (config$1.abortEarly) break;
					}
				}
				if (!dataset.issues || !config$1.abortEarly) {
					for (const key in input) if (/* @__PURE__ */ _isValidObjectKey(input, key) && !Object.prototype.hasOwnProperty.call(this.entries, key)) dataset.value[key] = input[key];
				}
			} else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/looseObject/looseObjectAsync.ts
/* @__NO_SIDE_EFFECTS__ */
function looseObjectAsync(entries$1, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "loose_object",
		reference: looseObjectAsync,
		expects: "Object",
		async: true,
		entries: entries$1,
		message: message$1,
		async "~run"(dataset, config$1) {
			const input = dataset.value;
			if (input && typeof input === "object") {
				dataset.typed = true;
				dataset.value = {};
				const valueDatasets = await Promise.all(Object.entries(this.entries).map(async ([key, valueSchema]) => {
					if (key in input || (valueSchema.type === "exact_optional" || valueSchema.type === "optional" || valueSchema.type === "nullish") && valueSchema.default !== void 0) {
						const value$1 = key in input ? input[key] : await /* @__PURE__ */ getDefault(valueSchema);
						return [
							key,
							value$1,
							valueSchema,
							await valueSchema["~run"]({ value: value$1 }, config$1)
						];
					}
					return [
						key,
						input[key],
						valueSchema,
						null
					];
				}));
				for (const [key, value$1, valueSchema, valueDataset] of valueDatasets) if (valueDataset) {
					if (valueDataset.issues) {
						const pathItem = {
							type: "object",
							origin: "value",
							input,
							key,
							value: value$1
						};
						for (const issue of valueDataset.issues) {
							if (issue.path) issue.path.unshift(pathItem);
							else issue.path = [pathItem];
							dataset.issues?.push(issue);
						}
						if (!dataset.issues) dataset.issues = valueDataset.issues;
						if (config$1.abortEarly) {
							dataset.typed = false;
							break;
						}
					}
					if (!valueDataset.typed) dataset.typed = false;
					dataset.value[key] = valueDataset.value;
				} else if (valueSchema.fallback !== void 0) dataset.value[key] = await /* @__PURE__ */ getFallback(valueSchema);
				else if (valueSchema.type !== "exact_optional" && valueSchema.type !== "optional" && valueSchema.type !== "nullish") {
					_addIssue(this, "key", dataset, config$1, {
						input: void 0,
						expected: `"${key}"`,
						path: [{
							type: "object",
							origin: "key",
							input,
							key,
							value: value$1
						}]
					});
					if (config$1.abortEarly) break;
				}
				if (!dataset.issues || !config$1.abortEarly) {
					for (const key in input) if (/* @__PURE__ */ _isValidObjectKey(input, key) && !Object.prototype.hasOwnProperty.call(this.entries, key)) dataset.value[key] = input[key];
				}
			} else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/looseTuple/looseTuple.ts
/* @__NO_SIDE_EFFECTS__ */
function looseTuple(items, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "loose_tuple",
		reference: looseTuple,
		expects: "Array",
		async: false,
		items,
		message: message$1,
		"~run"(dataset, config$1) {
			const input = dataset.value;
			if (Array.isArray(input)) {
				dataset.typed = true;
				dataset.value = [];
				for (let key = 0; key < this.items.length; key++) {
					const value$1 = input[key];
					const itemDataset = this.items[key]["~run"]({ value: value$1 }, config$1);
					if (itemDataset.issues) {
						const pathItem = {
							type: "array",
							origin: "value",
							input,
							key,
							value: value$1
						};
						for (const issue of itemDataset.issues) {
							if (issue.path) issue.path.unshift(pathItem);
							else issue.path = [pathItem];
							dataset.issues?.push(issue);
						}
						if (!dataset.issues) dataset.issues = itemDataset.issues;
						if (config$1.abortEarly) {
							dataset.typed = false;
							break;
						}
					}
					if (!itemDataset.typed) dataset.typed = false;
					dataset.value.push(itemDataset.value);
				}
				if (!dataset.issues || !config$1.abortEarly) for (let key = this.items.length; key < input.length; key++) dataset.value.push(input[key]);
			} else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/looseTuple/looseTupleAsync.ts
/* @__NO_SIDE_EFFECTS__ */
function looseTupleAsync(items, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "loose_tuple",
		reference: looseTupleAsync,
		expects: "Array",
		async: true,
		items,
		message: message$1,
		async "~run"(dataset, config$1) {
			const input = dataset.value;
			if (Array.isArray(input)) {
				dataset.typed = true;
				dataset.value = [];
				const itemDatasets = await Promise.all(this.items.map(async (item, key) => {
					const value$1 = input[key];
					return [
						key,
						value$1,
						await item["~run"]({ value: value$1 }, config$1)
					];
				}));
				for (const [key, value$1, itemDataset] of itemDatasets) {
					if (itemDataset.issues) {
						const pathItem = {
							type: "array",
							origin: "value",
							input,
							key,
							value: value$1
						};
						for (const issue of itemDataset.issues) {
							if (issue.path) issue.path.unshift(pathItem);
							else issue.path = [pathItem];
							dataset.issues?.push(issue);
						}
						if (!dataset.issues) dataset.issues = itemDataset.issues;
						if (config$1.abortEarly) {
							dataset.typed = false;
							break;
						}
					}
					if (!itemDataset.typed) dataset.typed = false;
					dataset.value.push(itemDataset.value);
				}
				if (!dataset.issues || !config$1.abortEarly) for (let key = this.items.length; key < input.length; key++) dataset.value.push(input[key]);
			} else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/map/map.ts
/* @__NO_SIDE_EFFECTS__ */
function map(key, value$1, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "map",
		reference: map,
		expects: "Map",
		async: false,
		key,
		value: value$1,
		message: message$1,
		"~run"(dataset, config$1) {
			const input = dataset.value;
			if (input instanceof Map) {
				dataset.typed = true;
				dataset.value = /* @__PURE__ */ new Map();
				for (const [inputKey, inputValue] of input) {
					const keyDataset = this.key["~run"]({ value: inputKey }, config$1);
					if (keyDataset.issues) {
						const pathItem = {
							type: "map",
							origin: "key",
							input,
							key: inputKey,
							value: inputValue
						};
						for (const issue of keyDataset.issues) {
							if (issue.path) issue.path.unshift(pathItem);
							else issue.path = [pathItem];
							dataset.issues?.push(issue);
						}
						if (!dataset.issues) dataset.issues = keyDataset.issues;
						if (config$1.abortEarly) {
							dataset.typed = false;
							break;
						}
					}
					const valueDataset = this.value["~run"]({ value: inputValue }, config$1);
					if (valueDataset.issues) {
						const pathItem = {
							type: "map",
							origin: "value",
							input,
							key: inputKey,
							value: inputValue
						};
						for (const issue of valueDataset.issues) {
							if (issue.path) issue.path.unshift(pathItem);
							else issue.path = [pathItem];
							dataset.issues?.push(issue);
						}
						if (!dataset.issues) dataset.issues = valueDataset.issues;
						if (config$1.abortEarly) {
							dataset.typed = false;
							break;
						}
					}
					if (!keyDataset.typed || !valueDataset.typed) dataset.typed = false;
					dataset.value.set(keyDataset.value, valueDataset.value);
				}
			} else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/map/mapAsync.ts
/* @__NO_SIDE_EFFECTS__ */
function mapAsync(key, value$1, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "map",
		reference: mapAsync,
		expects: "Map",
		async: true,
		key,
		value: value$1,
		message: message$1,
		async "~run"(dataset, config$1) {
			const input = dataset.value;
			if (input instanceof Map) {
				dataset.typed = true;
				dataset.value = /* @__PURE__ */ new Map();
				const datasets = await Promise.all([...input].map(([inputKey, inputValue]) => Promise.all([
					inputKey,
					inputValue,
					this.key["~run"]({ value: inputKey }, config$1),
					this.value["~run"]({ value: inputValue }, config$1)
				])));
				for (const [inputKey, inputValue, keyDataset, valueDataset] of datasets) {
					if (keyDataset.issues) {
						const pathItem = {
							type: "map",
							origin: "key",
							input,
							key: inputKey,
							value: inputValue
						};
						for (const issue of keyDataset.issues) {
							if (issue.path) issue.path.unshift(pathItem);
							else issue.path = [pathItem];
							dataset.issues?.push(issue);
						}
						if (!dataset.issues) dataset.issues = keyDataset.issues;
						if (config$1.abortEarly) {
							dataset.typed = false;
							break;
						}
					}
					if (valueDataset.issues) {
						const pathItem = {
							type: "map",
							origin: "value",
							input,
							key: inputKey,
							value: inputValue
						};
						for (const issue of valueDataset.issues) {
							if (issue.path) issue.path.unshift(pathItem);
							else issue.path = [pathItem];
							dataset.issues?.push(issue);
						}
						if (!dataset.issues) dataset.issues = valueDataset.issues;
						if (config$1.abortEarly) {
							dataset.typed = false;
							break;
						}
					}
					if (!keyDataset.typed || !valueDataset.typed) dataset.typed = false;
					dataset.value.set(keyDataset.value, valueDataset.value);
				}
			} else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/nan/nan.ts
/* @__NO_SIDE_EFFECTS__ */
function nan(message$1) {
	return _standardSchema({
		kind: "schema",
		type: "nan",
		reference: nan,
		expects: "NaN",
		async: false,
		message: message$1,
		"~run"(dataset, config$1) {
			if (Number.isNaN(dataset.value)) dataset.typed = true;
			else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/never/never.ts
/* @__NO_SIDE_EFFECTS__ */
function never(message$1) {
	return _standardSchema({
		kind: "schema",
		type: "never",
		reference: never,
		expects: "never",
		async: false,
		message: message$1,
		"~run"(dataset, config$1) {
			_addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/nonNullable/nonNullable.ts
/* @__NO_SIDE_EFFECTS__ */
function nonNullable(wrapped, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "non_nullable",
		reference: nonNullable,
		expects: "!null",
		async: false,
		wrapped,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.value !== null) dataset = this.wrapped["~run"](dataset, config$1);
			if (dataset.value === null) _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/nonNullable/nonNullableAsync.ts
/* @__NO_SIDE_EFFECTS__ */
function nonNullableAsync(wrapped, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "non_nullable",
		reference: nonNullableAsync,
		expects: "!null",
		async: true,
		wrapped,
		message: message$1,
		async "~run"(dataset, config$1) {
			if (dataset.value !== null) dataset = await this.wrapped["~run"](dataset, config$1);
			if (dataset.value === null) _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/nonNullish/nonNullish.ts
/* @__NO_SIDE_EFFECTS__ */
function nonNullish(wrapped, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "non_nullish",
		reference: nonNullish,
		expects: "(!null & !undefined)",
		async: false,
		wrapped,
		message: message$1,
		"~run"(dataset, config$1) {
			if (!(dataset.value === null || dataset.value === void 0)) dataset = this.wrapped["~run"](dataset, config$1);
			if (dataset.value === null || dataset.value === void 0) _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/nonNullish/nonNullishAsync.ts
/* @__NO_SIDE_EFFECTS__ */
function nonNullishAsync(wrapped, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "non_nullish",
		reference: nonNullishAsync,
		expects: "(!null & !undefined)",
		async: true,
		wrapped,
		message: message$1,
		async "~run"(dataset, config$1) {
			if (!(dataset.value === null || dataset.value === void 0)) dataset = await this.wrapped["~run"](dataset, config$1);
			if (dataset.value === null || dataset.value === void 0) _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/nonOptional/nonOptional.ts
/* @__NO_SIDE_EFFECTS__ */
function nonOptional(wrapped, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "non_optional",
		reference: nonOptional,
		expects: "!undefined",
		async: false,
		wrapped,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.value !== void 0) dataset = this.wrapped["~run"](dataset, config$1);
			if (dataset.value === void 0) _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/nonOptional/nonOptionalAsync.ts
/* @__NO_SIDE_EFFECTS__ */
function nonOptionalAsync(wrapped, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "non_optional",
		reference: nonOptionalAsync,
		expects: "!undefined",
		async: true,
		wrapped,
		message: message$1,
		async "~run"(dataset, config$1) {
			if (dataset.value !== void 0) dataset = await this.wrapped["~run"](dataset, config$1);
			if (dataset.value === void 0) _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/null/null.ts
/* @__NO_SIDE_EFFECTS__ */
function null_(message$1) {
	return _standardSchema({
		kind: "schema",
		type: "null",
		reference: null_,
		expects: "null",
		async: false,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.value === null) dataset.typed = true;
			else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/nullable/nullable.ts
/* @__NO_SIDE_EFFECTS__ */
function nullable(wrapped, default_) {
	return _standardSchema({
		kind: "schema",
		type: "nullable",
		reference: nullable,
		expects: `(${wrapped.expects} | null)`,
		async: false,
		wrapped,
		default: default_,
		"~run"(dataset, config$1) {
			if (dataset.value === null) {
				if (this.default !== void 0) dataset.value = /* @__PURE__ */ getDefault(this, dataset, config$1);
				if (dataset.value === null) {
					dataset.typed = true;
					return dataset;
				}
			}
			return this.wrapped["~run"](dataset, config$1);
		}
	});
}

//#endregion
//#region src/schemas/nullable/nullableAsync.ts
/* @__NO_SIDE_EFFECTS__ */
function nullableAsync(wrapped, default_) {
	return _standardSchema({
		kind: "schema",
		type: "nullable",
		reference: nullableAsync,
		expects: `(${wrapped.expects} | null)`,
		async: true,
		wrapped,
		default: default_,
		async "~run"(dataset, config$1) {
			if (dataset.value === null) {
				if (this.default !== void 0) dataset.value = await /* @__PURE__ */ getDefault(this, dataset, config$1);
				if (dataset.value === null) {
					dataset.typed = true;
					return dataset;
				}
			}
			return this.wrapped["~run"](dataset, config$1);
		}
	});
}

//#endregion
//#region src/schemas/nullish/nullish.ts
/* @__NO_SIDE_EFFECTS__ */
function nullish(wrapped, default_) {
	return _standardSchema({
		kind: "schema",
		type: "nullish",
		reference: nullish,
		expects: `(${wrapped.expects} | null | undefined)`,
		async: false,
		wrapped,
		default: default_,
		"~run"(dataset, config$1) {
			if (dataset.value === null || dataset.value === void 0) {
				if (this.default !== void 0) dataset.value = /* @__PURE__ */ getDefault(this, dataset, config$1);
				if (dataset.value === null || dataset.value === void 0) {
					dataset.typed = true;
					return dataset;
				}
			}
			return this.wrapped["~run"](dataset, config$1);
		}
	});
}

//#endregion
//#region src/schemas/nullish/nullishAsync.ts
/* @__NO_SIDE_EFFECTS__ */
function nullishAsync(wrapped, default_) {
	return _standardSchema({
		kind: "schema",
		type: "nullish",
		reference: nullishAsync,
		expects: `(${wrapped.expects} | null | undefined)`,
		async: true,
		wrapped,
		default: default_,
		async "~run"(dataset, config$1) {
			if (dataset.value === null || dataset.value === void 0) {
				if (this.default !== void 0) dataset.value = await /* @__PURE__ */ getDefault(this, dataset, config$1);
				if (dataset.value === null || dataset.value === void 0) {
					dataset.typed = true;
					return dataset;
				}
			}
			return this.wrapped["~run"](dataset, config$1);
		}
	});
}

//#endregion
//#region src/schemas/number/number.ts
/* @__NO_SIDE_EFFECTS__ */
function number(message$1) {
	return _standardSchema({
		kind: "schema",
		type: "number",
		reference: number,
		expects: "number",
		async: false,
		message: message$1,
		"~run"(dataset, config$1) {
			if (typeof dataset.value === "number" && !isNaN(dataset.value)) dataset.typed = true;
			else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/object/object.ts
/* @__NO_SIDE_EFFECTS__ */
function object(entries$1, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "object",
		reference: object,
		expects: "Object",
		async: false,
		entries: entries$1,
		message: message$1,
		"~run"(dataset, config$1) {
			const input = dataset.value;
			if (input && typeof input === "object") {
				dataset.typed = true;
				dataset.value = {};
				for (const key in this.entries) {
					const valueSchema = this.entries[key];
					if (key in input || (valueSchema.type === "exact_optional" || valueSchema.type === "optional" || valueSchema.type === "nullish") && valueSchema.default !== void 0) {
						const value$1 = key in input ? input[key] : /* @__PURE__ */ getDefault(valueSchema);
						const valueDataset = valueSchema["~run"]({ value: value$1 }, config$1);
						if (valueDataset.issues) {
							const pathItem = {
								type: "object",
								origin: "value",
								input,
								key,
								value: value$1
							};
							for (const issue of valueDataset.issues) {
								if (issue.path) issue.path.unshift(pathItem);
								else issue.path = [pathItem];
								dataset.issues?.push(issue);
							}
							if (!dataset.issues) dataset.issues = valueDataset.issues;
							if (config$1.abortEarly) {
								dataset.typed = false;
								break;
							}
						}
						if (!valueDataset.typed) dataset.typed = false;
						dataset.value[key] = valueDataset.value;
					} else if (valueSchema.fallback !== void 0) dataset.value[key] = /* @__PURE__ */ getFallback(valueSchema);
					else if (valueSchema.type !== "exact_optional" && valueSchema.type !== "optional" && valueSchema.type !== "nullish") {
						_addIssue(this, "key", dataset, config$1, {
							input: void 0,
							expected: `"${key}"`,
							path: [{
								type: "object",
								origin: "key",
								input,
								key,
								value: input[key]
							}]
						});
						if (config$1.abortEarly) break;
					}
				}
			} else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/object/objectAsync.ts
/* @__NO_SIDE_EFFECTS__ */
function objectAsync(entries$1, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "object",
		reference: objectAsync,
		expects: "Object",
		async: true,
		entries: entries$1,
		message: message$1,
		async "~run"(dataset, config$1) {
			const input = dataset.value;
			if (input && typeof input === "object") {
				dataset.typed = true;
				dataset.value = {};
				const valueDatasets = await Promise.all(Object.entries(this.entries).map(async ([key, valueSchema]) => {
					if (key in input || (valueSchema.type === "exact_optional" || valueSchema.type === "optional" || valueSchema.type === "nullish") && valueSchema.default !== void 0) {
						const value$1 = key in input ? input[key] : await /* @__PURE__ */ getDefault(valueSchema);
						return [
							key,
							value$1,
							valueSchema,
							await valueSchema["~run"]({ value: value$1 }, config$1)
						];
					}
					return [
						key,
						input[key],
						valueSchema,
						null
					];
				}));
				for (const [key, value$1, valueSchema, valueDataset] of valueDatasets) if (valueDataset) {
					if (valueDataset.issues) {
						const pathItem = {
							type: "object",
							origin: "value",
							input,
							key,
							value: value$1
						};
						for (const issue of valueDataset.issues) {
							if (issue.path) issue.path.unshift(pathItem);
							else issue.path = [pathItem];
							dataset.issues?.push(issue);
						}
						if (!dataset.issues) dataset.issues = valueDataset.issues;
						if (config$1.abortEarly) {
							dataset.typed = false;
							break;
						}
					}
					if (!valueDataset.typed) dataset.typed = false;
					dataset.value[key] = valueDataset.value;
				} else if (valueSchema.fallback !== void 0) dataset.value[key] = await /* @__PURE__ */ getFallback(valueSchema);
				else if (valueSchema.type !== "exact_optional" && valueSchema.type !== "optional" && valueSchema.type !== "nullish") {
					_addIssue(this, "key", dataset, config$1, {
						input: void 0,
						expected: `"${key}"`,
						path: [{
							type: "object",
							origin: "key",
							input,
							key,
							value: value$1
						}]
					});
					if (config$1.abortEarly) break;
				}
			} else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/objectWithRest/objectWithRest.ts
/* @__NO_SIDE_EFFECTS__ */
function objectWithRest(entries$1, rest, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "object_with_rest",
		reference: objectWithRest,
		expects: "Object",
		async: false,
		entries: entries$1,
		rest,
		message: message$1,
		"~run"(dataset, config$1) {
			const input = dataset.value;
			if (input && typeof input === "object") {
				dataset.typed = true;
				dataset.value = {};
				for (const key in this.entries) {
					const valueSchema = this.entries[key];
					if (key in input || (valueSchema.type === "exact_optional" || valueSchema.type === "optional" || valueSchema.type === "nullish") && valueSchema.default !== void 0) {
						const value$1 = key in input ? input[key] : /* @__PURE__ */ getDefault(valueSchema);
						const valueDataset = valueSchema["~run"]({ value: value$1 }, config$1);
						if (valueDataset.issues) {
							const pathItem = {
								type: "object",
								origin: "value",
								input,
								key,
								value: value$1
							};
							for (const issue of valueDataset.issues) {
								if (issue.path) issue.path.unshift(pathItem);
								else issue.path = [pathItem];
								dataset.issues?.push(issue);
							}
							if (!dataset.issues) dataset.issues = valueDataset.issues;
							if (config$1.abortEarly) {
								dataset.typed = false;
								break;
							}
						}
						if (!valueDataset.typed) dataset.typed = false;
						dataset.value[key] = valueDataset.value;
					} else if (valueSchema.fallback !== void 0) dataset.value[key] = /* @__PURE__ */ getFallback(valueSchema);
					else if (valueSchema.type !== "exact_optional" && valueSchema.type !== "optional" && valueSchema.type !== "nullish") {
						_addIssue(this, "key", dataset, config$1, {
							input: void 0,
							expected: `"${key}"`,
							path: [{
								type: "object",
								origin: "key",
								input,
								key,
								value: input[key]
							}]
						});
						if (config$1.abortEarly) break;
					}
				}
				if (!dataset.issues || !config$1.abortEarly) {
					for (const key in input) if (/* @__PURE__ */ _isValidObjectKey(input, key) && !Object.prototype.hasOwnProperty.call(this.entries, key)) {
						const valueDataset = this.rest["~run"]({ value: input[key] }, config$1);
						if (valueDataset.issues) {
							const pathItem = {
								type: "object",
								origin: "value",
								input,
								key,
								value: input[key]
							};
							for (const issue of valueDataset.issues) {
								if (issue.path) issue.path.unshift(pathItem);
								else issue.path = [pathItem];
								dataset.issues?.push(issue);
							}
							if (!dataset.issues) dataset.issues = valueDataset.issues;
							if (config$1.abortEarly) {
								dataset.typed = false;
								break;
							}
						}
						if (!valueDataset.typed) dataset.typed = false;
						dataset.value[key] = valueDataset.value;
					}
				}
			} else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/objectWithRest/objectWithRestAsync.ts
/* @__NO_SIDE_EFFECTS__ */
function objectWithRestAsync(entries$1, rest, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "object_with_rest",
		reference: objectWithRestAsync,
		expects: "Object",
		async: true,
		entries: entries$1,
		rest,
		message: message$1,
		async "~run"(dataset, config$1) {
			const input = dataset.value;
			if (input && typeof input === "object") {
				dataset.typed = true;
				dataset.value = {};
				const [normalDatasets, restDatasets] = await Promise.all([Promise.all(Object.entries(this.entries).map(async ([key, valueSchema]) => {
					if (key in input || (valueSchema.type === "exact_optional" || valueSchema.type === "optional" || valueSchema.type === "nullish") && valueSchema.default !== void 0) {
						const value$1 = key in input ? input[key] : await /* @__PURE__ */ getDefault(valueSchema);
						return [
							key,
							value$1,
							valueSchema,
							await valueSchema["~run"]({ value: value$1 }, config$1)
						];
					}
					return [
						key,
						input[key],
						valueSchema,
						null
					];
				})), Promise.all(Object.entries(input).filter(([key]) => /* @__PURE__ */ _isValidObjectKey(input, key) && !Object.prototype.hasOwnProperty.call(this.entries, key)).map(async ([key, value$1]) => [
					key,
					value$1,
					await this.rest["~run"]({ value: value$1 }, config$1)
				]))]);
				for (const [key, value$1, valueSchema, valueDataset] of normalDatasets) if (valueDataset) {
					if (valueDataset.issues) {
						const pathItem = {
							type: "object",
							origin: "value",
							input,
							key,
							value: value$1
						};
						for (const issue of valueDataset.issues) {
							if (issue.path) issue.path.unshift(pathItem);
							else issue.path = [pathItem];
							dataset.issues?.push(issue);
						}
						if (!dataset.issues) dataset.issues = valueDataset.issues;
						if (config$1.abortEarly) {
							dataset.typed = false;
							break;
						}
					}
					if (!valueDataset.typed) dataset.typed = false;
					dataset.value[key] = valueDataset.value;
				} else if (valueSchema.fallback !== void 0) dataset.value[key] = await /* @__PURE__ */ getFallback(valueSchema);
				else if (valueSchema.type !== "exact_optional" && valueSchema.type !== "optional" && valueSchema.type !== "nullish") {
					_addIssue(this, "key", dataset, config$1, {
						input: void 0,
						expected: `"${key}"`,
						path: [{
							type: "object",
							origin: "key",
							input,
							key,
							value: value$1
						}]
					});
					if (config$1.abortEarly) break;
				}
				if (!dataset.issues || !config$1.abortEarly) for (const [key, value$1, valueDataset] of restDatasets) {
					if (valueDataset.issues) {
						const pathItem = {
							type: "object",
							origin: "value",
							input,
							key,
							value: value$1
						};
						for (const issue of valueDataset.issues) {
							if (issue.path) issue.path.unshift(pathItem);
							else issue.path = [pathItem];
							dataset.issues?.push(issue);
						}
						if (!dataset.issues) dataset.issues = valueDataset.issues;
						if (config$1.abortEarly) {
							dataset.typed = false;
							break;
						}
					}
					if (!valueDataset.typed) dataset.typed = false;
					dataset.value[key] = valueDataset.value;
				}
			} else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/optional/optional.ts
/* @__NO_SIDE_EFFECTS__ */
function optional(wrapped, default_) {
	return _standardSchema({
		kind: "schema",
		type: "optional",
		reference: optional,
		expects: `(${wrapped.expects} | undefined)`,
		async: false,
		wrapped,
		default: default_,
		"~run"(dataset, config$1) {
			if (dataset.value === void 0) {
				if (this.default !== void 0) dataset.value = /* @__PURE__ */ getDefault(this, dataset, config$1);
				if (dataset.value === void 0) {
					dataset.typed = true;
					return dataset;
				}
			}
			return this.wrapped["~run"](dataset, config$1);
		}
	});
}

//#endregion
//#region src/schemas/optional/optionalAsync.ts
/* @__NO_SIDE_EFFECTS__ */
function optionalAsync(wrapped, default_) {
	return _standardSchema({
		kind: "schema",
		type: "optional",
		reference: optionalAsync,
		expects: `(${wrapped.expects} | undefined)`,
		async: true,
		wrapped,
		default: default_,
		async "~run"(dataset, config$1) {
			if (dataset.value === void 0) {
				if (this.default !== void 0) dataset.value = await /* @__PURE__ */ getDefault(this, dataset, config$1);
				if (dataset.value === void 0) {
					dataset.typed = true;
					return dataset;
				}
			}
			return this.wrapped["~run"](dataset, config$1);
		}
	});
}

//#endregion
//#region src/schemas/picklist/picklist.ts
/* @__NO_SIDE_EFFECTS__ */
function picklist(options, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "picklist",
		reference: picklist,
		expects: /* @__PURE__ */ _joinExpects(options.map(_stringify), "|"),
		async: false,
		options,
		message: message$1,
		"~run"(dataset, config$1) {
			if (this.options.includes(dataset.value)) dataset.typed = true;
			else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/promise/promise.ts
/* @__NO_SIDE_EFFECTS__ */
function promise(message$1) {
	return _standardSchema({
		kind: "schema",
		type: "promise",
		reference: promise,
		expects: "Promise",
		async: false,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.value instanceof Promise) dataset.typed = true;
			else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/record/record.ts
/* @__NO_SIDE_EFFECTS__ */
function record(key, value$1, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "record",
		reference: record,
		expects: "Object",
		async: false,
		key,
		value: value$1,
		message: message$1,
		"~run"(dataset, config$1) {
			const input = dataset.value;
			if (input && typeof input === "object") {
				dataset.typed = true;
				dataset.value = {};
				for (const entryKey in input) if (/* @__PURE__ */ _isValidObjectKey(input, entryKey)) {
					const entryValue = input[entryKey];
					const keyDataset = this.key["~run"]({ value: entryKey }, config$1);
					if (keyDataset.issues) {
						const pathItem = {
							type: "object",
							origin: "key",
							input,
							key: entryKey,
							value: entryValue
						};
						for (const issue of keyDataset.issues) {
							issue.path = [pathItem];
							dataset.issues?.push(issue);
						}
						if (!dataset.issues) dataset.issues = keyDataset.issues;
						if (config$1.abortEarly) {
							dataset.typed = false;
							break;
						}
					}
					const valueDataset = this.value["~run"]({ value: entryValue }, config$1);
					if (valueDataset.issues) {
						const pathItem = {
							type: "object",
							origin: "value",
							input,
							key: entryKey,
							value: entryValue
						};
						for (const issue of valueDataset.issues) {
							if (issue.path) issue.path.unshift(pathItem);
							else issue.path = [pathItem];
							dataset.issues?.push(issue);
						}
						if (!dataset.issues) dataset.issues = valueDataset.issues;
						if (config$1.abortEarly) {
							dataset.typed = false;
							break;
						}
					}
					if (!keyDataset.typed || !valueDataset.typed) dataset.typed = false;
					if (keyDataset.typed) dataset.value[keyDataset.value] = valueDataset.value;
				}
			} else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/record/recordAsync.ts
/* @__NO_SIDE_EFFECTS__ */
function recordAsync(key, value$1, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "record",
		reference: recordAsync,
		expects: "Object",
		async: true,
		key,
		value: value$1,
		message: message$1,
		async "~run"(dataset, config$1) {
			const input = dataset.value;
			if (input && typeof input === "object") {
				dataset.typed = true;
				dataset.value = {};
				const datasets = await Promise.all(Object.entries(input).filter(([key$1]) => /* @__PURE__ */ _isValidObjectKey(input, key$1)).map(([entryKey, entryValue]) => Promise.all([
					entryKey,
					entryValue,
					this.key["~run"]({ value: entryKey }, config$1),
					this.value["~run"]({ value: entryValue }, config$1)
				])));
				for (const [entryKey, entryValue, keyDataset, valueDataset] of datasets) {
					if (keyDataset.issues) {
						const pathItem = {
							type: "object",
							origin: "key",
							input,
							key: entryKey,
							value: entryValue
						};
						for (const issue of keyDataset.issues) {
							issue.path = [pathItem];
							dataset.issues?.push(issue);
						}
						if (!dataset.issues) dataset.issues = keyDataset.issues;
						if (config$1.abortEarly) {
							dataset.typed = false;
							break;
						}
					}
					if (valueDataset.issues) {
						const pathItem = {
							type: "object",
							origin: "value",
							input,
							key: entryKey,
							value: entryValue
						};
						for (const issue of valueDataset.issues) {
							if (issue.path) issue.path.unshift(pathItem);
							else issue.path = [pathItem];
							dataset.issues?.push(issue);
						}
						if (!dataset.issues) dataset.issues = valueDataset.issues;
						if (config$1.abortEarly) {
							dataset.typed = false;
							break;
						}
					}
					if (!keyDataset.typed || !valueDataset.typed) dataset.typed = false;
					if (keyDataset.typed) dataset.value[keyDataset.value] = valueDataset.value;
				}
			} else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/set/set.ts
/* @__NO_SIDE_EFFECTS__ */
function set(value$1, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "set",
		reference: set,
		expects: "Set",
		async: false,
		value: value$1,
		message: message$1,
		"~run"(dataset, config$1) {
			const input = dataset.value;
			if (input instanceof Set) {
				dataset.typed = true;
				dataset.value = /* @__PURE__ */ new Set();
				for (const inputValue of input) {
					const valueDataset = this.value["~run"]({ value: inputValue }, config$1);
					if (valueDataset.issues) {
						const pathItem = {
							type: "set",
							origin: "value",
							input,
							key: null,
							value: inputValue
						};
						for (const issue of valueDataset.issues) {
							if (issue.path) issue.path.unshift(pathItem);
							else issue.path = [pathItem];
							dataset.issues?.push(issue);
						}
						if (!dataset.issues) dataset.issues = valueDataset.issues;
						if (config$1.abortEarly) {
							dataset.typed = false;
							break;
						}
					}
					if (!valueDataset.typed) dataset.typed = false;
					dataset.value.add(valueDataset.value);
				}
			} else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/set/setAsync.ts
/* @__NO_SIDE_EFFECTS__ */
function setAsync(value$1, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "set",
		reference: setAsync,
		expects: "Set",
		async: true,
		value: value$1,
		message: message$1,
		async "~run"(dataset, config$1) {
			const input = dataset.value;
			if (input instanceof Set) {
				dataset.typed = true;
				dataset.value = /* @__PURE__ */ new Set();
				const valueDatasets = await Promise.all([...input].map(async (inputValue) => [inputValue, await this.value["~run"]({ value: inputValue }, config$1)]));
				for (const [inputValue, valueDataset] of valueDatasets) {
					if (valueDataset.issues) {
						const pathItem = {
							type: "set",
							origin: "value",
							input,
							key: null,
							value: inputValue
						};
						for (const issue of valueDataset.issues) {
							if (issue.path) issue.path.unshift(pathItem);
							else issue.path = [pathItem];
							dataset.issues?.push(issue);
						}
						if (!dataset.issues) dataset.issues = valueDataset.issues;
						if (config$1.abortEarly) {
							dataset.typed = false;
							break;
						}
					}
					if (!valueDataset.typed) dataset.typed = false;
					dataset.value.add(valueDataset.value);
				}
			} else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/strictObject/strictObject.ts
/* @__NO_SIDE_EFFECTS__ */
function strictObject(entries$1, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "strict_object",
		reference: strictObject,
		expects: "Object",
		async: false,
		entries: entries$1,
		message: message$1,
		"~run"(dataset, config$1) {
			const input = dataset.value;
			if (input && typeof input === "object") {
				dataset.typed = true;
				dataset.value = {};
				for (const key in this.entries) {
					const valueSchema = this.entries[key];
					if (key in input || (valueSchema.type === "exact_optional" || valueSchema.type === "optional" || valueSchema.type === "nullish") && valueSchema.default !== void 0) {
						const value$1 = key in input ? input[key] : /* @__PURE__ */ getDefault(valueSchema);
						const valueDataset = valueSchema["~run"]({ value: value$1 }, config$1);
						if (valueDataset.issues) {
							const pathItem = {
								type: "object",
								origin: "value",
								input,
								key,
								value: value$1
							};
							for (const issue of valueDataset.issues) {
								if (issue.path) issue.path.unshift(pathItem);
								else issue.path = [pathItem];
								dataset.issues?.push(issue);
							}
							if (!dataset.issues) dataset.issues = valueDataset.issues;
							if (config$1.abortEarly) {
								dataset.typed = false;
								break;
							}
						}
						if (!valueDataset.typed) dataset.typed = false;
						dataset.value[key] = valueDataset.value;
					} else if (valueSchema.fallback !== void 0) dataset.value[key] = /* @__PURE__ */ getFallback(valueSchema);
					else if (valueSchema.type !== "exact_optional" && valueSchema.type !== "optional" && valueSchema.type !== "nullish") {
						_addIssue(this, "key", dataset, config$1, {
							input: void 0,
							expected: `"${key}"`,
							path: [{
								type: "object",
								origin: "key",
								input,
								key,
								value: input[key]
							}]
						});
						if (config$1.abortEarly) break;
					}
				}
				if (!dataset.issues || !config$1.abortEarly) {
					for (const key in input) if (!Object.prototype.hasOwnProperty.call(this.entries, key)) {
						_addIssue(this, "key", dataset, config$1, {
							input: key,
							expected: "never",
							path: [{
								type: "object",
								origin: "key",
								input,
								key,
								value: input[key]
							}]
						});
						break;
					}
				}
			} else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/strictObject/strictObjectAsync.ts
/* @__NO_SIDE_EFFECTS__ */
function strictObjectAsync(entries$1, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "strict_object",
		reference: strictObjectAsync,
		expects: "Object",
		async: true,
		entries: entries$1,
		message: message$1,
		async "~run"(dataset, config$1) {
			const input = dataset.value;
			if (input && typeof input === "object") {
				dataset.typed = true;
				dataset.value = {};
				const valueDatasets = await Promise.all(Object.entries(this.entries).map(async ([key, valueSchema]) => {
					if (key in input || (valueSchema.type === "exact_optional" || valueSchema.type === "optional" || valueSchema.type === "nullish") && valueSchema.default !== void 0) {
						const value$1 = key in input ? input[key] : await /* @__PURE__ */ getDefault(valueSchema);
						return [
							key,
							value$1,
							valueSchema,
							await valueSchema["~run"]({ value: value$1 }, config$1)
						];
					}
					return [
						key,
						input[key],
						valueSchema,
						null
					];
				}));
				for (const [key, value$1, valueSchema, valueDataset] of valueDatasets) if (valueDataset) {
					if (valueDataset.issues) {
						const pathItem = {
							type: "object",
							origin: "value",
							input,
							key,
							value: value$1
						};
						for (const issue of valueDataset.issues) {
							if (issue.path) issue.path.unshift(pathItem);
							else issue.path = [pathItem];
							dataset.issues?.push(issue);
						}
						if (!dataset.issues) dataset.issues = valueDataset.issues;
						if (config$1.abortEarly) {
							dataset.typed = false;
							break;
						}
					}
					if (!valueDataset.typed) dataset.typed = false;
					dataset.value[key] = valueDataset.value;
				} else if (valueSchema.fallback !== void 0) dataset.value[key] = await /* @__PURE__ */ getFallback(valueSchema);
				else if (valueSchema.type !== "exact_optional" && valueSchema.type !== "optional" && valueSchema.type !== "nullish") {
					_addIssue(this, "key", dataset, config$1, {
						input: void 0,
						expected: `"${key}"`,
						path: [{
							type: "object",
							origin: "key",
							input,
							key,
							value: value$1
						}]
					});
					if (config$1.abortEarly) break;
				}
				if (!dataset.issues || !config$1.abortEarly) {
					for (const key in input) if (!Object.prototype.hasOwnProperty.call(this.entries, key)) {
						_addIssue(this, "key", dataset, config$1, {
							input: key,
							expected: "never",
							path: [{
								type: "object",
								origin: "key",
								input,
								key,
								value: input[key]
							}]
						});
						break;
					}
				}
			} else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/strictTuple/strictTuple.ts
/* @__NO_SIDE_EFFECTS__ */
function strictTuple(items, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "strict_tuple",
		reference: strictTuple,
		expects: "Array",
		async: false,
		items,
		message: message$1,
		"~run"(dataset, config$1) {
			const input = dataset.value;
			if (Array.isArray(input)) {
				dataset.typed = true;
				dataset.value = [];
				for (let key = 0; key < this.items.length; key++) {
					const value$1 = input[key];
					const itemDataset = this.items[key]["~run"]({ value: value$1 }, config$1);
					if (itemDataset.issues) {
						const pathItem = {
							type: "array",
							origin: "value",
							input,
							key,
							value: value$1
						};
						for (const issue of itemDataset.issues) {
							if (issue.path) issue.path.unshift(pathItem);
							else issue.path = [pathItem];
							dataset.issues?.push(issue);
						}
						if (!dataset.issues) dataset.issues = itemDataset.issues;
						if (config$1.abortEarly) {
							dataset.typed = false;
							break;
						}
					}
					if (!itemDataset.typed) dataset.typed = false;
					dataset.value.push(itemDataset.value);
				}
				if (!(dataset.issues && config$1.abortEarly) && this.items.length < input.length) _addIssue(this, "type", dataset, config$1, {
					input: input[this.items.length],
					expected: "never",
					path: [{
						type: "array",
						origin: "value",
						input,
						key: this.items.length,
						value: input[this.items.length]
					}]
				});
			} else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/strictTuple/strictTupleAsync.ts
/* @__NO_SIDE_EFFECTS__ */
function strictTupleAsync(items, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "strict_tuple",
		reference: strictTupleAsync,
		expects: "Array",
		async: true,
		items,
		message: message$1,
		async "~run"(dataset, config$1) {
			const input = dataset.value;
			if (Array.isArray(input)) {
				dataset.typed = true;
				dataset.value = [];
				const itemDatasets = await Promise.all(this.items.map(async (item, key) => {
					const value$1 = input[key];
					return [
						key,
						value$1,
						await item["~run"]({ value: value$1 }, config$1)
					];
				}));
				for (const [key, value$1, itemDataset] of itemDatasets) {
					if (itemDataset.issues) {
						const pathItem = {
							type: "array",
							origin: "value",
							input,
							key,
							value: value$1
						};
						for (const issue of itemDataset.issues) {
							if (issue.path) issue.path.unshift(pathItem);
							else issue.path = [pathItem];
							dataset.issues?.push(issue);
						}
						if (!dataset.issues) dataset.issues = itemDataset.issues;
						if (config$1.abortEarly) {
							dataset.typed = false;
							break;
						}
					}
					if (!itemDataset.typed) dataset.typed = false;
					dataset.value.push(itemDataset.value);
				}
				if (!(dataset.issues && config$1.abortEarly) && this.items.length < input.length) _addIssue(this, "type", dataset, config$1, {
					input: input[this.items.length],
					expected: "never",
					path: [{
						type: "array",
						origin: "value",
						input,
						key: this.items.length,
						value: input[this.items.length]
					}]
				});
			} else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/string/string.ts
/* @__NO_SIDE_EFFECTS__ */
function string(message$1) {
	return _standardSchema({
		kind: "schema",
		type: "string",
		reference: string,
		expects: "string",
		async: false,
		message: message$1,
		"~run"(dataset, config$1) {
			if (typeof dataset.value === "string") dataset.typed = true;
			else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/symbol/symbol.ts
/* @__NO_SIDE_EFFECTS__ */
function symbol(message$1) {
	return _standardSchema({
		kind: "schema",
		type: "symbol",
		reference: symbol,
		expects: "symbol",
		async: false,
		message: message$1,
		"~run"(dataset, config$1) {
			if (typeof dataset.value === "symbol") dataset.typed = true;
			else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/tuple/tuple.ts
/* @__NO_SIDE_EFFECTS__ */
function tuple(items, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "tuple",
		reference: tuple,
		expects: "Array",
		async: false,
		items,
		message: message$1,
		"~run"(dataset, config$1) {
			const input = dataset.value;
			if (Array.isArray(input)) {
				dataset.typed = true;
				dataset.value = [];
				for (let key = 0; key < this.items.length; key++) {
					const value$1 = input[key];
					const itemDataset = this.items[key]["~run"]({ value: value$1 }, config$1);
					if (itemDataset.issues) {
						const pathItem = {
							type: "array",
							origin: "value",
							input,
							key,
							value: value$1
						};
						for (const issue of itemDataset.issues) {
							if (issue.path) issue.path.unshift(pathItem);
							else issue.path = [pathItem];
							dataset.issues?.push(issue);
						}
						if (!dataset.issues) dataset.issues = itemDataset.issues;
						if (config$1.abortEarly) {
							dataset.typed = false;
							break;
						}
					}
					if (!itemDataset.typed) dataset.typed = false;
					dataset.value.push(itemDataset.value);
				}
			} else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/tuple/tupleAsync.ts
/* @__NO_SIDE_EFFECTS__ */
function tupleAsync(items, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "tuple",
		reference: tupleAsync,
		expects: "Array",
		async: true,
		items,
		message: message$1,
		async "~run"(dataset, config$1) {
			const input = dataset.value;
			if (Array.isArray(input)) {
				dataset.typed = true;
				dataset.value = [];
				const itemDatasets = await Promise.all(this.items.map(async (item, key) => {
					const value$1 = input[key];
					return [
						key,
						value$1,
						await item["~run"]({ value: value$1 }, config$1)
					];
				}));
				for (const [key, value$1, itemDataset] of itemDatasets) {
					if (itemDataset.issues) {
						const pathItem = {
							type: "array",
							origin: "value",
							input,
							key,
							value: value$1
						};
						for (const issue of itemDataset.issues) {
							if (issue.path) issue.path.unshift(pathItem);
							else issue.path = [pathItem];
							dataset.issues?.push(issue);
						}
						if (!dataset.issues) dataset.issues = itemDataset.issues;
						if (config$1.abortEarly) {
							dataset.typed = false;
							break;
						}
					}
					if (!itemDataset.typed) dataset.typed = false;
					dataset.value.push(itemDataset.value);
				}
			} else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/tupleWithRest/tupleWithRest.ts
/* @__NO_SIDE_EFFECTS__ */
function tupleWithRest(items, rest, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "tuple_with_rest",
		reference: tupleWithRest,
		expects: "Array",
		async: false,
		items,
		rest,
		message: message$1,
		"~run"(dataset, config$1) {
			const input = dataset.value;
			if (Array.isArray(input)) {
				dataset.typed = true;
				dataset.value = [];
				for (let key = 0; key < this.items.length; key++) {
					const value$1 = input[key];
					const itemDataset = this.items[key]["~run"]({ value: value$1 }, config$1);
					if (itemDataset.issues) {
						const pathItem = {
							type: "array",
							origin: "value",
							input,
							key,
							value: value$1
						};
						for (const issue of itemDataset.issues) {
							if (issue.path) issue.path.unshift(pathItem);
							else issue.path = [pathItem];
							dataset.issues?.push(issue);
						}
						if (!dataset.issues) dataset.issues = itemDataset.issues;
						if (config$1.abortEarly) {
							dataset.typed = false;
							break;
						}
					}
					if (!itemDataset.typed) dataset.typed = false;
					dataset.value.push(itemDataset.value);
				}
				if (!dataset.issues || !config$1.abortEarly) for (let key = this.items.length; key < input.length; key++) {
					const value$1 = input[key];
					const itemDataset = this.rest["~run"]({ value: value$1 }, config$1);
					if (itemDataset.issues) {
						const pathItem = {
							type: "array",
							origin: "value",
							input,
							key,
							value: value$1
						};
						for (const issue of itemDataset.issues) {
							if (issue.path) issue.path.unshift(pathItem);
							else issue.path = [pathItem];
							dataset.issues?.push(issue);
						}
						if (!dataset.issues) dataset.issues = itemDataset.issues;
						if (config$1.abortEarly) {
							dataset.typed = false;
							break;
						}
					}
					if (!itemDataset.typed) dataset.typed = false;
					dataset.value.push(itemDataset.value);
				}
			} else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/tupleWithRest/tupleWithRestAsync.ts
/* @__NO_SIDE_EFFECTS__ */
function tupleWithRestAsync(items, rest, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "tuple_with_rest",
		reference: tupleWithRestAsync,
		expects: "Array",
		async: true,
		items,
		rest,
		message: message$1,
		async "~run"(dataset, config$1) {
			const input = dataset.value;
			if (Array.isArray(input)) {
				dataset.typed = true;
				dataset.value = [];
				const [normalDatasets, restDatasets] = await Promise.all([Promise.all(this.items.map(async (item, key) => {
					const value$1 = input[key];
					return [
						key,
						value$1,
						await item["~run"]({ value: value$1 }, config$1)
					];
				})), Promise.all(input.slice(this.items.length).map(async (value$1, key) => {
					return [
						key + this.items.length,
						value$1,
						await this.rest["~run"]({ value: value$1 }, config$1)
					];
				}))]);
				for (const [key, value$1, itemDataset] of normalDatasets) {
					if (itemDataset.issues) {
						const pathItem = {
							type: "array",
							origin: "value",
							input,
							key,
							value: value$1
						};
						for (const issue of itemDataset.issues) {
							if (issue.path) issue.path.unshift(pathItem);
							else issue.path = [pathItem];
							dataset.issues?.push(issue);
						}
						if (!dataset.issues) dataset.issues = itemDataset.issues;
						if (config$1.abortEarly) {
							dataset.typed = false;
							break;
						}
					}
					if (!itemDataset.typed) dataset.typed = false;
					dataset.value.push(itemDataset.value);
				}
				if (!dataset.issues || !config$1.abortEarly) for (const [key, value$1, itemDataset] of restDatasets) {
					if (itemDataset.issues) {
						const pathItem = {
							type: "array",
							origin: "value",
							input,
							key,
							value: value$1
						};
						for (const issue of itemDataset.issues) {
							if (issue.path) issue.path.unshift(pathItem);
							else issue.path = [pathItem];
							dataset.issues?.push(issue);
						}
						if (!dataset.issues) dataset.issues = itemDataset.issues;
						if (config$1.abortEarly) {
							dataset.typed = false;
							break;
						}
					}
					if (!itemDataset.typed) dataset.typed = false;
					dataset.value.push(itemDataset.value);
				}
			} else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/undefined/undefined.ts
/* @__NO_SIDE_EFFECTS__ */
function undefined_(message$1) {
	return _standardSchema({
		kind: "schema",
		type: "undefined",
		reference: undefined_,
		expects: "undefined",
		async: false,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.value === void 0) dataset.typed = true;
			else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/undefinedable/undefinedable.ts
/* @__NO_SIDE_EFFECTS__ */
function undefinedable(wrapped, default_) {
	return _standardSchema({
		kind: "schema",
		type: "undefinedable",
		reference: undefinedable,
		expects: `(${wrapped.expects} | undefined)`,
		async: false,
		wrapped,
		default: default_,
		"~run"(dataset, config$1) {
			if (dataset.value === void 0) {
				if (this.default !== void 0) dataset.value = /* @__PURE__ */ getDefault(this, dataset, config$1);
				if (dataset.value === void 0) {
					dataset.typed = true;
					return dataset;
				}
			}
			return this.wrapped["~run"](dataset, config$1);
		}
	});
}

//#endregion
//#region src/schemas/undefinedable/undefinedableAsync.ts
/* @__NO_SIDE_EFFECTS__ */
function undefinedableAsync(wrapped, default_) {
	return _standardSchema({
		kind: "schema",
		type: "undefinedable",
		reference: undefinedableAsync,
		expects: `(${wrapped.expects} | undefined)`,
		async: true,
		wrapped,
		default: default_,
		async "~run"(dataset, config$1) {
			if (dataset.value === void 0) {
				if (this.default !== void 0) dataset.value = await /* @__PURE__ */ getDefault(this, dataset, config$1);
				if (dataset.value === void 0) {
					dataset.typed = true;
					return dataset;
				}
			}
			return this.wrapped["~run"](dataset, config$1);
		}
	});
}

//#endregion
//#region src/schemas/union/utils/_subIssues/_subIssues.ts
/**
* Returns the sub issues of the provided datasets for the union issue.
*
* @param datasets The datasets.
*
* @returns The sub issues.
*
* @internal
*/
/* @__NO_SIDE_EFFECTS__ */
function _subIssues(datasets) {
	let issues;
	if (datasets) for (const dataset of datasets) if (issues) for (const issue of dataset.issues) issues.push(issue);
	else issues = dataset.issues;
	return issues;
}

//#endregion
//#region src/schemas/union/union.ts
/* @__NO_SIDE_EFFECTS__ */
function union(options, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "union",
		reference: union,
		expects: /* @__PURE__ */ _joinExpects(options.map((option) => option.expects), "|"),
		async: false,
		options,
		message: message$1,
		"~run"(dataset, config$1) {
			let validDataset;
			let typedDatasets;
			let untypedDatasets;
			for (const schema of this.options) {
				const optionDataset = schema["~run"]({ value: dataset.value }, config$1);
				if (optionDataset.typed) if (optionDataset.issues) if (typedDatasets) typedDatasets.push(optionDataset);
				else typedDatasets = [optionDataset];
				else {
					validDataset = optionDataset;
					break;
				}
				else if (untypedDatasets) untypedDatasets.push(optionDataset);
				else untypedDatasets = [optionDataset];
			}
			if (validDataset) return validDataset;
			if (typedDatasets) {
				if (typedDatasets.length === 1) return typedDatasets[0];
				_addIssue(this, "type", dataset, config$1, { issues: /* @__PURE__ */ _subIssues(typedDatasets) });
				dataset.typed = true;
			} else if (untypedDatasets?.length === 1) return untypedDatasets[0];
			else _addIssue(this, "type", dataset, config$1, { issues: /* @__PURE__ */ _subIssues(untypedDatasets) });
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/union/unionAsync.ts
/* @__NO_SIDE_EFFECTS__ */
function unionAsync(options, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "union",
		reference: unionAsync,
		expects: /* @__PURE__ */ _joinExpects(options.map((option) => option.expects), "|"),
		async: true,
		options,
		message: message$1,
		async "~run"(dataset, config$1) {
			let validDataset;
			let typedDatasets;
			let untypedDatasets;
			for (const schema of this.options) {
				const optionDataset = await schema["~run"]({ value: dataset.value }, config$1);
				if (optionDataset.typed) if (optionDataset.issues) if (typedDatasets) typedDatasets.push(optionDataset);
				else typedDatasets = [optionDataset];
				else {
					validDataset = optionDataset;
					break;
				}
				else if (untypedDatasets) untypedDatasets.push(optionDataset);
				else untypedDatasets = [optionDataset];
			}
			if (validDataset) return validDataset;
			if (typedDatasets) {
				if (typedDatasets.length === 1) return typedDatasets[0];
				_addIssue(this, "type", dataset, config$1, { issues: /* @__PURE__ */ _subIssues(typedDatasets) });
				dataset.typed = true;
			} else if (untypedDatasets?.length === 1) return untypedDatasets[0];
			else _addIssue(this, "type", dataset, config$1, { issues: /* @__PURE__ */ _subIssues(untypedDatasets) });
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/unknown/unknown.ts
/**
* Creates a unknown schema.
*
* @returns A unknown schema.
*/
/* @__NO_SIDE_EFFECTS__ */
function unknown() {
	return _standardSchema({
		kind: "schema",
		type: "unknown",
		reference: unknown,
		expects: "unknown",
		async: false,
		"~run"(dataset) {
			dataset.typed = true;
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/variant/variant.ts
/* @__NO_SIDE_EFFECTS__ */
function variant(key, options, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "variant",
		reference: variant,
		expects: "Object",
		async: false,
		key,
		options,
		message: message$1,
		"~run"(dataset, config$1) {
			const input = dataset.value;
			if (input && typeof input === "object") {
				let outputDataset;
				let maxDiscriminatorPriority = 0;
				let invalidDiscriminatorKey = this.key;
				let expectedDiscriminators = [];
				const parseOptions = (variant$1, allKeys) => {
					for (const schema of variant$1.options) {
						if (schema.type === "variant") parseOptions(schema, new Set(allKeys).add(schema.key));
						else {
							let keysAreValid = true;
							let currentPriority = 0;
							for (const currentKey of allKeys) {
								const discriminatorSchema = schema.entries[currentKey];
								if (currentKey in input ? discriminatorSchema["~run"]({
									typed: false,
									value: input[currentKey]
								}, ABORT_EARLY_CONFIG).issues : discriminatorSchema.type !== "exact_optional" && discriminatorSchema.type !== "optional" && discriminatorSchema.type !== "nullish") {
									keysAreValid = false;
									if (invalidDiscriminatorKey !== currentKey && (maxDiscriminatorPriority < currentPriority || maxDiscriminatorPriority === currentPriority && currentKey in input && !(invalidDiscriminatorKey in input))) {
										maxDiscriminatorPriority = currentPriority;
										invalidDiscriminatorKey = currentKey;
										expectedDiscriminators = [];
									}
									if (invalidDiscriminatorKey === currentKey) expectedDiscriminators.push(schema.entries[currentKey].expects);
									break;
								}
								currentPriority++;
							}
							if (keysAreValid) {
								const optionDataset = schema["~run"]({ value: input }, config$1);
								if (!outputDataset || !outputDataset.typed && optionDataset.typed) outputDataset = optionDataset;
							}
						}
						if (outputDataset && !outputDataset.issues) break;
					}
				};
				parseOptions(this, new Set([this.key]));
				if (outputDataset) return outputDataset;
				_addIssue(this, "type", dataset, config$1, {
					input: input[invalidDiscriminatorKey],
					expected: /* @__PURE__ */ _joinExpects(expectedDiscriminators, "|"),
					path: [{
						type: "object",
						origin: "value",
						input,
						key: invalidDiscriminatorKey,
						value: input[invalidDiscriminatorKey]
					}]
				});
			} else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/variant/variantAsync.ts
/* @__NO_SIDE_EFFECTS__ */
function variantAsync(key, options, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "variant",
		reference: variantAsync,
		expects: "Object",
		async: true,
		key,
		options,
		message: message$1,
		async "~run"(dataset, config$1) {
			const input = dataset.value;
			if (input && typeof input === "object") {
				let outputDataset;
				let maxDiscriminatorPriority = 0;
				let invalidDiscriminatorKey = this.key;
				let expectedDiscriminators = [];
				const parseOptions = async (variant$1, allKeys) => {
					for (const schema of variant$1.options) {
						if (schema.type === "variant") await parseOptions(schema, new Set(allKeys).add(schema.key));
						else {
							let keysAreValid = true;
							let currentPriority = 0;
							for (const currentKey of allKeys) {
								const discriminatorSchema = schema.entries[currentKey];
								if (currentKey in input ? (await discriminatorSchema["~run"]({
									typed: false,
									value: input[currentKey]
								}, ABORT_EARLY_CONFIG)).issues : discriminatorSchema.type !== "exact_optional" && discriminatorSchema.type !== "optional" && discriminatorSchema.type !== "nullish") {
									keysAreValid = false;
									if (invalidDiscriminatorKey !== currentKey && (maxDiscriminatorPriority < currentPriority || maxDiscriminatorPriority === currentPriority && currentKey in input && !(invalidDiscriminatorKey in input))) {
										maxDiscriminatorPriority = currentPriority;
										invalidDiscriminatorKey = currentKey;
										expectedDiscriminators = [];
									}
									if (invalidDiscriminatorKey === currentKey) expectedDiscriminators.push(schema.entries[currentKey].expects);
									break;
								}
								currentPriority++;
							}
							if (keysAreValid) {
								const optionDataset = await schema["~run"]({ value: input }, config$1);
								if (!outputDataset || !outputDataset.typed && optionDataset.typed) outputDataset = optionDataset;
							}
						}
						if (outputDataset && !outputDataset.issues) break;
					}
				};
				await parseOptions(this, new Set([this.key]));
				if (outputDataset) return outputDataset;
				_addIssue(this, "type", dataset, config$1, {
					input: input[invalidDiscriminatorKey],
					expected: /* @__PURE__ */ _joinExpects(expectedDiscriminators, "|"),
					path: [{
						type: "object",
						origin: "value",
						input,
						key: invalidDiscriminatorKey,
						value: input[invalidDiscriminatorKey]
					}]
				});
			} else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}

//#endregion
//#region src/schemas/void/void.ts
/* @__NO_SIDE_EFFECTS__ */
function void_(message$1) {
	return _standardSchema({
		kind: "schema",
		type: "void",
		reference: void_,
		expects: "void",
		async: false,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.value === void 0) dataset.typed = true;
			else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}

//#endregion
//#region src/methods/keyof/keyof.ts
/* @__NO_SIDE_EFFECTS__ */
function keyof(schema, message$1) {
	return /* @__PURE__ */ picklist(Object.keys(schema.entries), message$1);
}

//#endregion
//#region src/methods/message/message.ts
/**
* Changes the local message configuration of a schema.
*
* @param schema The schema to configure.
* @param message_ The error message.
*
* @returns The configured schema.
*/
/* @__NO_SIDE_EFFECTS__ */
function message(schema, message_) {
	return _standardSchema({
		...schema,
		"~run"(dataset, config$1) {
			return schema["~run"](dataset, {
				...config$1,
				message: message_
			});
		}
	});
}

//#endregion
//#region src/methods/omit/omit.ts
/**
* Creates a modified copy of an object schema that does not contain the
* selected entries.
*
* @param schema The schema to omit from.
* @param keys The selected entries.
*
* @returns An object schema.
*/
/* @__NO_SIDE_EFFECTS__ */
function omit(schema, keys) {
	const entries$1 = { ...schema.entries };
	for (const key of keys) delete entries$1[key];
	return _standardSchema({
		...schema,
		entries: entries$1
	});
}

//#endregion
//#region src/methods/parse/parse.ts
/**
* Parses an unknown input based on a schema.
*
* @param schema The schema to be used.
* @param input The input to be parsed.
* @param config The parse configuration.
*
* @returns The parsed input.
*/
function parse(schema, input, config$1) {
	const dataset = schema["~run"]({ value: input }, /* @__PURE__ */ getGlobalConfig(config$1));
	if (dataset.issues) throw new ValiError(dataset.issues);
	return dataset.value;
}

//#endregion
//#region src/methods/parse/parseAsync.ts
/**
* Parses an unknown input based on a schema.
*
* @param schema The schema to be used.
* @param input The input to be parsed.
* @param config The parse configuration.
*
* @returns The parsed input.
*/
async function parseAsync(schema, input, config$1) {
	const dataset = await schema["~run"]({ value: input }, /* @__PURE__ */ getGlobalConfig(config$1));
	if (dataset.issues) throw new ValiError(dataset.issues);
	return dataset.value;
}

//#endregion
//#region src/methods/parser/parser.ts
/* @__NO_SIDE_EFFECTS__ */
function parser(schema, config$1) {
	const func = (input) => parse(schema, input, config$1);
	func.schema = schema;
	func.config = config$1;
	return func;
}

//#endregion
//#region src/methods/parser/parserAsync.ts
/* @__NO_SIDE_EFFECTS__ */
function parserAsync(schema, config$1) {
	const func = (input) => parseAsync(schema, input, config$1);
	func.schema = schema;
	func.config = config$1;
	return func;
}

//#endregion
//#region src/methods/partial/partial.ts
/* @__NO_SIDE_EFFECTS__ */
function partial(schema, keys) {
	const entries$1 = {};
	for (const key in schema.entries) entries$1[key] = !keys || keys.includes(key) ? /* @__PURE__ */ optional(schema.entries[key]) : schema.entries[key];
	return _standardSchema({
		...schema,
		entries: entries$1
	});
}

//#endregion
//#region src/methods/partial/partialAsync.ts
/* @__NO_SIDE_EFFECTS__ */
function partialAsync(schema, keys) {
	const entries$1 = {};
	for (const key in schema.entries) entries$1[key] = !keys || keys.includes(key) ? /* @__PURE__ */ optionalAsync(schema.entries[key]) : schema.entries[key];
	return _standardSchema({
		...schema,
		entries: entries$1
	});
}

//#endregion
//#region src/methods/pick/pick.ts
/**
* Creates a modified copy of an object schema that contains only the selected
* entries.
*
* @param schema The schema to pick from.
* @param keys The selected entries.
*
* @returns An object schema.
*/
/* @__NO_SIDE_EFFECTS__ */
function pick(schema, keys) {
	const entries$1 = {};
	for (const key of keys) entries$1[key] = schema.entries[key];
	return _standardSchema({
		...schema,
		entries: entries$1
	});
}

//#endregion
//#region src/methods/pipe/pipe.ts
/* @__NO_SIDE_EFFECTS__ */
function pipe(...pipe$1) {
	return _standardSchema({
		...pipe$1[0],
		pipe: pipe$1,
		"~run"(dataset, config$1) {
			for (const item of pipe$1) if (item.kind !== "metadata") {
				if (dataset.issues && (item.kind === "schema" || item.kind === "transformation")) {
					dataset.typed = false;
					break;
				}
				if (!dataset.issues || !config$1.abortEarly && !config$1.abortPipeEarly) dataset = item["~run"](dataset, config$1);
			}
			return dataset;
		}
	});
}

//#endregion
//#region src/methods/pipe/pipeAsync.ts
/* @__NO_SIDE_EFFECTS__ */
function pipeAsync(...pipe$1) {
	return _standardSchema({
		...pipe$1[0],
		pipe: pipe$1,
		async: true,
		async "~run"(dataset, config$1) {
			for (const item of pipe$1) if (item.kind !== "metadata") {
				if (dataset.issues && (item.kind === "schema" || item.kind === "transformation")) {
					dataset.typed = false;
					break;
				}
				if (!dataset.issues || !config$1.abortEarly && !config$1.abortPipeEarly) dataset = await item["~run"](dataset, config$1);
			}
			return dataset;
		}
	});
}

//#endregion
//#region src/methods/required/required.ts
/* @__NO_SIDE_EFFECTS__ */
function required(schema, arg2, arg3) {
	const keys = Array.isArray(arg2) ? arg2 : void 0;
	const message$1 = Array.isArray(arg2) ? arg3 : arg2;
	const entries$1 = {};
	for (const key in schema.entries) entries$1[key] = !keys || keys.includes(key) ? /* @__PURE__ */ nonOptional(schema.entries[key], message$1) : schema.entries[key];
	return _standardSchema({
		...schema,
		entries: entries$1
	});
}

//#endregion
//#region src/methods/required/requiredAsync.ts
/* @__NO_SIDE_EFFECTS__ */
function requiredAsync(schema, arg2, arg3) {
	const keys = Array.isArray(arg2) ? arg2 : void 0;
	const message$1 = Array.isArray(arg2) ? arg3 : arg2;
	const entries$1 = {};
	for (const key in schema.entries) entries$1[key] = !keys || keys.includes(key) ? /* @__PURE__ */ nonOptionalAsync(schema.entries[key], message$1) : schema.entries[key];
	return _standardSchema({
		...schema,
		entries: entries$1
	});
}

//#endregion
//#region src/methods/safeParse/safeParse.ts
/**
* Parses an unknown input based on a schema.
*
* @param schema The schema to be used.
* @param input The input to be parsed.
* @param config The parse configuration.
*
* @returns The parse result.
*/
/* @__NO_SIDE_EFFECTS__ */
function safeParse(schema, input, config$1) {
	const dataset = schema["~run"]({ value: input }, /* @__PURE__ */ getGlobalConfig(config$1));
	return {
		typed: dataset.typed,
		success: !dataset.issues,
		output: dataset.value,
		issues: dataset.issues
	};
}

//#endregion
//#region src/methods/safeParse/safeParseAsync.ts
/**
* Parses an unknown input based on a schema.
*
* @param schema The schema to be used.
* @param input The input to be parsed.
* @param config The parse configuration.
*
* @returns The parse result.
*/
/* @__NO_SIDE_EFFECTS__ */
async function safeParseAsync(schema, input, config$1) {
	const dataset = await schema["~run"]({ value: input }, /* @__PURE__ */ getGlobalConfig(config$1));
	return {
		typed: dataset.typed,
		success: !dataset.issues,
		output: dataset.value,
		issues: dataset.issues
	};
}

//#endregion
//#region src/methods/safeParser/safeParser.ts
/* @__NO_SIDE_EFFECTS__ */
function safeParser(schema, config$1) {
	const func = (input) => /* @__PURE__ */ safeParse(schema, input, config$1);
	func.schema = schema;
	func.config = config$1;
	return func;
}

//#endregion
//#region src/methods/safeParser/safeParserAsync.ts
/* @__NO_SIDE_EFFECTS__ */
function safeParserAsync(schema, config$1) {
	const func = (input) => /* @__PURE__ */ safeParseAsync(schema, input, config$1);
	func.schema = schema;
	func.config = config$1;
	return func;
}

//#endregion
//#region src/methods/summarize/summarize.ts
/**
* Summarize the error messages of issues in a pretty-printable multi-line string.
*
* @param issues The list of issues.
*
* @returns A summary of the issues.
*
* @beta
*/
/* @__NO_SIDE_EFFECTS__ */
function summarize(issues) {
	let summary = "";
	for (const issue of issues) {
		if (summary) summary += "\n";
		summary += `× ${issue.message}`;
		const dotPath = /* @__PURE__ */ getDotPath(issue);
		if (dotPath) summary += `\n  → at ${dotPath}`;
	}
	return summary;
}

//#endregion
//#region src/methods/unwrap/unwrap.ts
/**
* Unwraps the wrapped schema.
*
* @param schema The schema to be unwrapped.
*
* @returns The unwrapped schema.
*/
/* @__NO_SIDE_EFFECTS__ */
function unwrap(schema) {
	return schema.wrapped;
}

//#endregion


/***/ })

/******/ });
/************************************************************************/
/******/ // The module cache
/******/ var __webpack_module_cache__ = {};
/******/ 
/******/ // The require function
/******/ function __nccwpck_require__(moduleId) {
/******/ 	// Check if module is in cache
/******/ 	var cachedModule = __webpack_module_cache__[moduleId];
/******/ 	if (cachedModule !== undefined) {
/******/ 		return cachedModule.exports;
/******/ 	}
/******/ 	// Create a new module (and put it into the cache)
/******/ 	var module = __webpack_module_cache__[moduleId] = {
/******/ 		id: moduleId,
/******/ 		loaded: false,
/******/ 		exports: {}
/******/ 	};
/******/ 
/******/ 	// Execute the module function
/******/ 	var threw = true;
/******/ 	try {
/******/ 		__webpack_modules__[moduleId].call(module.exports, module, module.exports, __nccwpck_require__);
/******/ 		threw = false;
/******/ 	} finally {
/******/ 		if(threw) delete __webpack_module_cache__[moduleId];
/******/ 	}
/******/ 
/******/ 	// Flag the module as loaded
/******/ 	module.loaded = true;
/******/ 
/******/ 	// Return the exports of the module
/******/ 	return module.exports;
/******/ }
/******/ 
/******/ // expose the modules object (__webpack_modules__)
/******/ __nccwpck_require__.m = __webpack_modules__;
/******/ 
/************************************************************************/
/******/ /* webpack/runtime/asset-relocator-loader */
/******/ if (typeof __nccwpck_require__ !== 'undefined') __nccwpck_require__.ab = decodeURIComponent(new URL('.', import.meta.url).pathname).slice(import.meta.url.match(/^file:\/\/\/\w:/) ? 1 : 0, -1) + "/";
/******/ 
/******/ /* webpack/runtime/async module */
/******/ (() => {
/******/ 	var webpackQueues = typeof Symbol === "function" ? Symbol("webpack queues") : "__webpack_queues__";
/******/ 	var webpackExports = typeof Symbol === "function" ? Symbol("webpack exports") : "__webpack_exports__";
/******/ 	var webpackError = typeof Symbol === "function" ? Symbol("webpack error") : "__webpack_error__";
/******/ 	var resolveQueue = (queue) => {
/******/ 		if(queue && queue.d < 1) {
/******/ 			queue.d = 1;
/******/ 			queue.forEach((fn) => (fn.r--));
/******/ 			queue.forEach((fn) => (fn.r-- ? fn.r++ : fn()));
/******/ 		}
/******/ 	}
/******/ 	var wrapDeps = (deps) => (deps.map((dep) => {
/******/ 		if(dep !== null && typeof dep === "object") {
/******/ 			if(dep[webpackQueues]) return dep;
/******/ 			if(dep.then) {
/******/ 				var queue = [];
/******/ 				queue.d = 0;
/******/ 				dep.then((r) => {
/******/ 					obj[webpackExports] = r;
/******/ 					resolveQueue(queue);
/******/ 				}, (e) => {
/******/ 					obj[webpackError] = e;
/******/ 					resolveQueue(queue);
/******/ 				});
/******/ 				var obj = {};
/******/ 				obj[webpackQueues] = (fn) => (fn(queue));
/******/ 				return obj;
/******/ 			}
/******/ 		}
/******/ 		var ret = {};
/******/ 		ret[webpackQueues] = x => {};
/******/ 		ret[webpackExports] = dep;
/******/ 		return ret;
/******/ 	}));
/******/ 	__nccwpck_require__.a = (module, body, hasAwait) => {
/******/ 		var queue;
/******/ 		hasAwait && ((queue = []).d = -1);
/******/ 		var depQueues = new Set();
/******/ 		var exports = module.exports;
/******/ 		var currentDeps;
/******/ 		var outerResolve;
/******/ 		var reject;
/******/ 		var promise = new Promise((resolve, rej) => {
/******/ 			reject = rej;
/******/ 			outerResolve = resolve;
/******/ 		});
/******/ 		promise[webpackExports] = exports;
/******/ 		promise[webpackQueues] = (fn) => (queue && fn(queue), depQueues.forEach(fn), promise["catch"](x => {}));
/******/ 		module.exports = promise;
/******/ 		body((deps) => {
/******/ 			currentDeps = wrapDeps(deps);
/******/ 			var fn;
/******/ 			var getResult = () => (currentDeps.map((d) => {
/******/ 				if(d[webpackError]) throw d[webpackError];
/******/ 				return d[webpackExports];
/******/ 			}))
/******/ 			var promise = new Promise((resolve) => {
/******/ 				fn = () => (resolve(getResult));
/******/ 				fn.r = 0;
/******/ 				var fnQueue = (q) => (q !== queue && !depQueues.has(q) && (depQueues.add(q), q && !q.d && (fn.r++, q.push(fn))));
/******/ 				currentDeps.map((dep) => (dep[webpackQueues](fnQueue)));
/******/ 			});
/******/ 			return fn.r ? promise : getResult();
/******/ 		}, (err) => ((err ? reject(promise[webpackError] = err) : outerResolve(exports)), resolveQueue(queue)));
/******/ 		queue && queue.d < 0 && (queue.d = 0);
/******/ 	};
/******/ })();
/******/ 
/******/ /* webpack/runtime/create fake namespace object */
/******/ (() => {
/******/ 	var getProto = Object.getPrototypeOf ? (obj) => (Object.getPrototypeOf(obj)) : (obj) => (obj.__proto__);
/******/ 	var leafPrototypes;
/******/ 	// create a fake namespace object
/******/ 	// mode & 1: value is a module id, require it
/******/ 	// mode & 2: merge all properties of value into the ns
/******/ 	// mode & 4: return value when already ns object
/******/ 	// mode & 16: return value when it's Promise-like
/******/ 	// mode & 8|1: behave like require
/******/ 	__nccwpck_require__.t = function(value, mode) {
/******/ 		if(mode & 1) value = this(value);
/******/ 		if(mode & 8) return value;
/******/ 		if(typeof value === 'object' && value) {
/******/ 			if((mode & 4) && value.__esModule) return value;
/******/ 			if((mode & 16) && typeof value.then === 'function') return value;
/******/ 		}
/******/ 		var ns = Object.create(null);
/******/ 		__nccwpck_require__.r(ns);
/******/ 		var def = {};
/******/ 		leafPrototypes = leafPrototypes || [null, getProto({}), getProto([]), getProto(getProto)];
/******/ 		for(var current = mode & 2 && value; typeof current == 'object' && !~leafPrototypes.indexOf(current); current = getProto(current)) {
/******/ 			Object.getOwnPropertyNames(current).forEach((key) => (def[key] = () => (value[key])));
/******/ 		}
/******/ 		def['default'] = () => (value);
/******/ 		__nccwpck_require__.d(ns, def);
/******/ 		return ns;
/******/ 	};
/******/ })();
/******/ 
/******/ /* webpack/runtime/define property getters */
/******/ (() => {
/******/ 	// define getter functions for harmony exports
/******/ 	__nccwpck_require__.d = (exports, definition) => {
/******/ 		for(var key in definition) {
/******/ 			if(__nccwpck_require__.o(definition, key) && !__nccwpck_require__.o(exports, key)) {
/******/ 				Object.defineProperty(exports, key, { enumerable: true, get: definition[key] });
/******/ 			}
/******/ 		}
/******/ 	};
/******/ })();
/******/ 
/******/ /* webpack/runtime/ensure chunk */
/******/ (() => {
/******/ 	__nccwpck_require__.f = {};
/******/ 	// This file contains only the entry chunk.
/******/ 	// The chunk loading function for additional chunks
/******/ 	__nccwpck_require__.e = (chunkId) => {
/******/ 		return Promise.all(Object.keys(__nccwpck_require__.f).reduce((promises, key) => {
/******/ 			__nccwpck_require__.f[key](chunkId, promises);
/******/ 			return promises;
/******/ 		}, []));
/******/ 	};
/******/ })();
/******/ 
/******/ /* webpack/runtime/get javascript chunk filename */
/******/ (() => {
/******/ 	// This function allow to reference async chunks
/******/ 	__nccwpck_require__.u = (chunkId) => {
/******/ 		// return url for filenames based on template
/******/ 		return "" + chunkId + ".index.js";
/******/ 	};
/******/ })();
/******/ 
/******/ /* webpack/runtime/hasOwnProperty shorthand */
/******/ (() => {
/******/ 	__nccwpck_require__.o = (obj, prop) => (Object.prototype.hasOwnProperty.call(obj, prop))
/******/ })();
/******/ 
/******/ /* webpack/runtime/make namespace object */
/******/ (() => {
/******/ 	// define __esModule on exports
/******/ 	__nccwpck_require__.r = (exports) => {
/******/ 		if(typeof Symbol !== 'undefined' && Symbol.toStringTag) {
/******/ 			Object.defineProperty(exports, Symbol.toStringTag, { value: 'Module' });
/******/ 		}
/******/ 		Object.defineProperty(exports, '__esModule', { value: true });
/******/ 	};
/******/ })();
/******/ 
/******/ /* webpack/runtime/node module decorator */
/******/ (() => {
/******/ 	__nccwpck_require__.nmd = (module) => {
/******/ 		module.paths = [];
/******/ 		if (!module.children) module.children = [];
/******/ 		return module;
/******/ 	};
/******/ })();
/******/ 
/******/ /* webpack/runtime/import chunk loading */
/******/ (() => {
/******/ 	// no baseURI
/******/ 	
/******/ 	// object to store loaded and loading chunks
/******/ 	// undefined = chunk not loaded, null = chunk preloaded/prefetched
/******/ 	// [resolve, Promise] = chunk loading, 0 = chunk loaded
/******/ 	var installedChunks = {
/******/ 		792: 0
/******/ 	};
/******/ 	
/******/ 	var installChunk = (data) => {
/******/ 		var {ids, modules, runtime} = data;
/******/ 		// add "modules" to the modules object,
/******/ 		// then flag all "ids" as loaded and fire callback
/******/ 		var moduleId, chunkId, i = 0;
/******/ 		for(moduleId in modules) {
/******/ 			if(__nccwpck_require__.o(modules, moduleId)) {
/******/ 				__nccwpck_require__.m[moduleId] = modules[moduleId];
/******/ 			}
/******/ 		}
/******/ 		if(runtime) runtime(__nccwpck_require__);
/******/ 		for(;i < ids.length; i++) {
/******/ 			chunkId = ids[i];
/******/ 			if(__nccwpck_require__.o(installedChunks, chunkId) && installedChunks[chunkId]) {
/******/ 				installedChunks[chunkId][0]();
/******/ 			}
/******/ 			installedChunks[ids[i]] = 0;
/******/ 		}
/******/ 	
/******/ 	}
/******/ 	
/******/ 	__nccwpck_require__.f.j = (chunkId, promises) => {
/******/ 			// import() chunk loading for javascript
/******/ 			var installedChunkData = __nccwpck_require__.o(installedChunks, chunkId) ? installedChunks[chunkId] : undefined;
/******/ 			if(installedChunkData !== 0) { // 0 means "already installed".
/******/ 	
/******/ 				// a Promise means "currently loading".
/******/ 				if(installedChunkData) {
/******/ 					promises.push(installedChunkData[1]);
/******/ 				} else {
/******/ 					if(true) { // all chunks have JS
/******/ 						// setup Promise in chunk cache
/******/ 						var promise = import("./" + __nccwpck_require__.u(chunkId)).then(installChunk, (e) => {
/******/ 							if(installedChunks[chunkId] !== 0) installedChunks[chunkId] = undefined;
/******/ 							throw e;
/******/ 						});
/******/ 						var promise = Promise.race([promise, new Promise((resolve) => (installedChunkData = installedChunks[chunkId] = [resolve]))])
/******/ 						promises.push(installedChunkData[1] = promise);
/******/ 					}
/******/ 				}
/******/ 			}
/******/ 	};
/******/ 	
/******/ 	// no prefetching
/******/ 	
/******/ 	// no preloaded
/******/ 	
/******/ 	// no external install chunk
/******/ 	
/******/ 	// no on chunks loaded
/******/ })();
/******/ 
/************************************************************************/
/******/ 
/******/ // startup
/******/ // Load entry module and return exports
/******/ // This entry module used 'module' so it can't be inlined
/******/ var __webpack_exports__ = __nccwpck_require__(80342);
/******/ __webpack_exports__ = await __webpack_exports__;
/******/ 
