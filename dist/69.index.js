export const id = 69;
export const ids = [69];
export const modules = {

/***/ 25069:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  start: () => (/* binding */ start)
});

// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(76760);
;// CONCATENATED MODULE: ./lib/src/causes/cause.js
/** A placeholder for the file of a cause. If several files have the same cause, one step names all of them. */
const FILE = '{file}';
const stepOf = (actor) => (text) => ({ actor, text });
const author = stepOf('author');
const workflowOwner = stepOf('workflow owner');
const accountOwner = stepOf('account owner');
function rerun(text = 'Re-run this job.', note) {
    return { actor: 'anyone', text: note === undefined ? text : `${text} ${note}` };
}
const SUPPORT = workflowOwner("If this happens again, contact the service's support.");
/** An expected error that ends the run early. `causesOf` in `findings.ts` lists the others; any other error is a defect. */
class GateError extends Error {
    name = 'GateError';
    causes;
    constructor(causes, options) {
        const list = 'reason' in causes ? [causes] : causes;
        super(list.map((cause) => (cause.path ? `${cause.path}: ${cause.message}` : cause.message)).join('\n'), options);
        this.causes = list;
    }
}
/** The runner stopped the job: it was cancelled, or reached its time limit. The message is the name of the signal. */
class Interruption extends Error {
    name = 'Interruption';
}
/** A cause that only the owner of the workflow can fix. */
function forOwner(reason, message, fix) {
    return { reason, message, steps: [workflowOwner(fix)] };
}
/** The cause of a file that cannot be sent. `fix` says what the author has to do, with `FILE` for the name of the file. */
function preFlight(path, message, fix) {
    return { reason: 'pre-flight', path, message, steps: [author(`${fix}. Then commit and push.`), EXCLUDE_IT] };
}
const EXCLUDE_IT = workflowOwner(`If ${FILE} should not be checked, add a line that starts with \`!\` to the input \`files\`.`);

// EXTERNAL MODULE: ./node_modules/@actions/core/lib/core.js + 11 modules
var core = __webpack_require__(91659);
;// CONCATENATED MODULE: ./lib/src/lib/escape.js
// Escapes text from outside (file names, service messages, waivers) for each target. The rules of one file format are
// with its renderer: `sarif.ts`, `cleared.ts`, `page.ts`.
/** Control, line separator, bidi and tag characters, which can make a text look like a different text. */
const DECEPTIVE = /(?![\u00ad\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const SHORT_ESCAPES = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
function asEscape(character) {
    return SHORT_ESCAPES[character] ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
/** Returns one line, in which every character that could hide or reorder text is written as an escape. */
function visible(text) {
    return text.toWellFormed().replace(DECEPTIVE, asEscape);
}
/** Does the same as `visible`, but keeps line ends and tabs, for targets that allow several lines. */
function visibleLines(text) {
    return splitLines(text)
        .map((line) => line.split('\t').map(visible).join('\t'))
        .join('\n');
}
function splitLines(text) {
    return text.split(/\r\n|[\n\r\u2028\u2029]/);
}
/**
 * Returns one line for the log. The runner trims a line before it looks for a command at the start of the line. It
 * accepts the old form of a command (two hashes and a bracket) anywhere in the line.
 */
function logLine(text) {
    return visible(text)
        .replace(/^(\s*):/u, '$1\\u{3a}')
        .replaceAll('##[', '#\\u{23}[');
}
/**
 * In Markdown and in HTML blocks, a numeric entity is shown as its character but never read as syntax. GitHub looks for
 * mentions, issue references, addresses and emoji names after it has decoded entities, so an invisible word joiner,
 * which allows no line break, splits these. Other text gets no word joiner, because people copy the text.
 */
const BREAK = '&#8288;';
const MARKDOWN_SYNTAX = /[&<>"`*_[\]|~\\^$#@]|:(?=\/\/|[\w+-]+(?::|$))|(?<=www)\.|(?<=GH)-(?=\d)/giu;
/** The start of a list, a heading underline or a rule. Markdown recognises these only at the start of a block. */
const BLOCK_START = /^(?:[-+=]|\d+[.)])/u;
function entityOf(character) {
    return `&#${character.codePointAt(0)};`;
}
function markdownEntity(character) {
    const entity = entityOf(character);
    if ('@#:'.includes(character))
        return entity + BREAK;
    return '.-'.includes(character) ? BREAK + entity : entity;
}
/** Escapes a text as one line of Markdown, for a paragraph, list item, table cell or HTML element such as summary. */
function markdown(text) {
    const line = splitLines(text.replaceAll('\t', ' ')).join(' ');
    return visible(line)
        .trim()
        .replace(MARKDOWN_SYNTAX, markdownEntity)
        .replace(BLOCK_START, (start) => start.slice(0, -1) + entityOf(start.slice(-1)));
}
/**
 * Escapes a sentence of ours, which may quote outside text and mark names with backticks. Everything else is escaped,
 * so backticks in outside text can only produce code formatting.
 */
function prose(text) {
    // GitHub links no mentions in code, and people copy names from code, so code needs no word joiners. But GitHub links
    // addresses even in code, and takes a name such as `logo@2x.png` for one.
    return markdown(text).replace(/&#96;((?:(?!&#96;).)+)&#96;/gu, (_, code) => {
        const isAddress = /[\w.+-]&#64;|\/\/|www/i.test(code);
        return `<code>${isAddress ? code : code.replaceAll(BREAK, '')}</code>`;
    });
}
/** Does the same as `markdown`, but keeps line ends and paragraphs. */
function markdownLines(text) {
    return splitLines(text)
        .map(markdown)
        .join('<br>')
        .replace(/(?:<br>){3,}/g, '<br><br>');
}
/** Escapes a text or a quoted attribute value for HTML. */
function html(text) {
    return visibleLines(text).replace(/[&<>"']/g, entityOf);
}
/** Quotes a text for YAML, on one line. YAML accepts JSON's quotes, and has an escape for every deceptive character. */
function yaml(text) {
    return JSON.stringify(text.toWellFormed()).replace(DECEPTIVE, (character) => `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`);
}
const MAX_URL_LENGTH = 2_048;
/**
 * Returns an address that is safe to link, or undefined. It must be http or https, and have no user name, which could
 * disguise the host. The result cannot end a table cell or an attribute, but still has to be escaped with `html`.
 */
function safeHref(url) {
    if (url.length > MAX_URL_LENGTH || !/^https?:\/\//i.test(url) || !URL.canParse(url))
        return undefined;
    const parsed = new URL(url);
    if (parsed.username !== '' || parsed.password !== '')
        return undefined;
    return parsed.href.replace(/["'`|\\^{}<>]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
}
/**
 * A spreadsheet runs a cell that begins with one of these characters, in any width, as a formula. If it separates cells
 * by `;` or tabs, as in many countries, quotes after a comma do not count: a cell also begins after these or a line end.
 */
const FORMULA = /(?<=(?:^|[;\t\r\n])[\s"',;|]*)(?=[=+\-@＝＋－＠])|^(?=[\t\r])/g;
function csvCell(text = '') {
    const harmless = text.replace(FORMULA, "'");
    return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

;// CONCATENATED MODULE: ./lib/src/lib/secrets.js
/** A shorter text is no secret. Hiding it would only damage other texts. */
const MIN_LENGTH = 8;
/** Most values in an address are names and numbers. A longer one may be a signature or a token. */
const MIN_LENGTH_IN_ADDRESS = 16;
const HIDDEN = '***';
/** A service may repeat an address that an earlier run, or the service itself, was given. */
const SIGNATURE = /(?<=[?&](?:sig|x-amz-signature)=)[^\s&"'<>]{16,}/gi;
/** The secrets of a run. A server may repeat them, so texts of responses and errors are cleaned. */
function createSecrets() {
    /** In lower case, as they are and without escapes. */
    const all = new Set();
    function hide(given) {
        const text = given.replace(SIGNATURE, HIDDEN);
        const lower = text.toLowerCase();
        const found = [...all].filter((secret) => lower.includes(secret));
        if (found.length === 0)
            return text;
        // The longest comes first: a secret may be the beginning of another one.
        const patterns = found.toSorted((a, b) => b.length - a.length).map((secret) => RegExp.escape(secret));
        return text.replace(new RegExp(patterns.join('|'), 'gi'), HIDDEN);
    }
    return {
        add: (secrets) => {
            const forms = secrets.flatMap((secret) => [secret, withoutEscapes(secret)]);
            for (const form of forms)
                if (form.length >= MIN_LENGTH)
                    all.add(form.toLowerCase());
        },
        /**
         * Hides every secret in a text, in any letter case, also if it is escaped (`ESCAPE`, up to four times). If an escaped
         * secret is found, the whole text is returned without escapes. Call it before the text is cut.
         */
        clean: (text) => {
            const shown = hide(text);
            const plain = withoutEscapes(shown);
            const hidden = plain === shown ? plain : hide(plain);
            return hidden === plain ? shown : hidden;
        },
    };
}
/** One character that is escaped for an address, JSON, HTML or XML, and the backslash before any other character. */
const ESCAPE = /%([0-9a-f]{2})|\\u00([0-9a-f]{2})|&#x([0-9a-f]{2});|&#(\d{2,3});|&(amp|lt|gt|quot|apos);|\\/gi;
const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
/** Servers put texts into texts: an address in JSON, and that in a page. */
const MAX_ESCAPES = 4;
function withoutEscapes(text) {
    let plain = text;
    for (let times = 0; times < MAX_ESCAPES && /[%\\&]/.test(plain); times++)
        plain = plain.replace(ESCAPE, (_, percent, json, hex, decimal, name) => {
            const code = percent ?? json ?? hex;
            if (code !== undefined)
                return String.fromCharCode(Number.parseInt(code, 16));
            return decimal === undefined
                ? (ENTITIES[name?.toLowerCase() ?? ''] ?? '')
                : String.fromCharCode(Number(decimal));
        });
    // In the query of an address, `+` stands for a space.
    return plain.replaceAll('+', ' ');
}
/**
 * The long values in the path, the query and the fragment of an upload address, as they are and decoded.
 *
 * @param names what the address is expected to repeat, and what reports must be able to show
 */
function secretsIn(address, names) {
    const { pathname, search, hash } = new URL(address);
    const valueOf = (part) => part.slice(part.indexOf('=') + 1);
    // A part of a path or a fragment may end in `=`, so it is also taken whole.
    const parts = [...pathname.split('/'), ...hash.slice(1).split('&')];
    const values = [...parts, ...parts.map(valueOf), ...search.slice(1).split('&').map(valueOf)];
    const long = values.filter(({ length }) => length >= MIN_LENGTH_IN_ADDRESS);
    const secrets = long.filter((value) => !names.includes(decoded(decoded(value))));
    return [...new Set(secrets.flatMap((value) => [value, decoded(value), decoded(decoded(value))]))];
}
function decoded(text) {
    try {
        return decodeURIComponent(text);
    }
    catch {
        return text;
    }
}

;// CONCATENATED MODULE: ./lib/src/github/runner.js



const PENDING_UPLOAD = 'pending-upload';
const PRINTERS = { error: core/* error */.z3, warning: core/* warning */.$e, notice: core/* notice */.lm };
/** Texts for the log are cleaned and escaped here, in one place, so that no caller can forget it. */
function createRunner() {
    const { add, clean } = createSecrets();
    const asLine = (text) => logLine(clean(text));
    /** How many annotations of each level the log has printed. GitHub shows only ten of each level. */
    const spent = { error: 0, warning: 0, notice: 0 };
    const printed = new Set();
    const log = {
        info: (text) => core/* info */.pq(asLine(text)),
        /** Prints each text once: some steps run twice, such as saving the state. */
        warning: (text) => {
            if (printed.has(text))
                return;
            printed.add(text);
            spent.warning += 1;
            core/* warning */.$e(asLine(text));
        },
        /** Groups everything that `work` logs under one title that can be folded. */
        group: async (title, work) => await core/* group */.Os(asLine(title), work),
    };
    return {
        log,
        spent,
        input: (name) => core/* getInput */.V4(name),
        /** Has the secrets hidden in the log by the runner, and everywhere by `clean`. */
        mask: (...secrets) => {
            add(secrets);
            // Without a runner, the command that masks a secret would print the secret.
            if (process.env['GITHUB_OUTPUT'])
                for (const secret of secrets.filter(Boolean))
                    core/* setSecret */.Pq(secret);
        },
        clean,
        hasArtifacts: hasArtifacts(process.env),
        /** Saves a value for the post step. The runner keeps the value even if this process is killed. */
        saveForPost: (value) => core/* saveState */.LZ(PENDING_UPLOAD, value),
        /** What the main step saved last. Empty if it has saved nothing. */
        savedForPost: () => core/* getState */.Gu(PENDING_UPLOAD),
        annotate: ({ level, message, path, title }) => PRINTERS[level](message, { title, ...(path !== undefined && { file: path }) }),
        output: (name, value) => core/* setOutput */.uH(name, value),
        /** Replaces the summary that this step wrote before. */
        writeSummary: async (markdown) => {
            await core/* summary */.z.addRaw(markdown).write({ overwrite: true });
        },
        fail: (message) => core/* setFailed */.C1(asLine(message)),
    };
}
/** GitHub Enterprise Server, Gitea and Forgejo do not support the current version of artifacts. */
function hasArtifacts(env) {
    const host = URL.parse(env['GITHUB_SERVER_URL'] ?? '')?.hostname ?? 'github.com';
    const isSupported = /^(github\.com|.*\.(ghe\.com|localhost))$/.test(host);
    return isSupported && Boolean(env['ACTIONS_RUNTIME_TOKEN'] && env['ACTIONS_RESULTS_URL']);
}

;// CONCATENATED MODULE: ./lib/src/http/proxy.js

/**
 * Rewrites the proxy variables, because three clients read them by different rules: the one of this gate, the one of
 * GitHub's API and the one that stores artifacts. `HTTPS_PROXY` gets its scheme. `HTTP_PROXY` and `ALL_PROXY`, which
 * some clients use for https, are removed. A lower-case name wins, as in curl. A blank variable counts as unset.
 *
 * @returns the problem with the proxy's address, if it cannot be used
 */
function unifyProxies(env) {
    const read = (name) => env[name.toLowerCase()]?.trim() || env[name]?.trim() || '';
    const address = read('HTTPS_PROXY');
    const exceptions = read('NO_PROXY')
        .toLowerCase()
        .split(/[\s,]+/)
        .filter(Boolean);
    for (const each of ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY', 'NO_PROXY']) {
        delete env[each];
        delete env[each.toLowerCase()];
    }
    if (address === '')
        return [];
    const url = URL.parse(address.includes('://') ? address : `http://${address}`);
    if (!url || !['http:', 'https:'].includes(url.protocol)) {
        // The message does not show the address, which may contain a password.
        const fix = 'Set it to an address such as `http://proxy.example:3128`, or unset it if there is no proxy.';
        const message = 'The environment variable `HTTPS_PROXY` (or `https_proxy`) is not the address of an HTTP proxy.';
        return [forOwner('bad-input', message, fix)];
    }
    if (exceptions.includes('*'))
        return [];
    env['HTTPS_PROXY'] = url.href;
    env['NO_PROXY'] = exceptions.flatMap(expand).join(',');
    return [];
}
/**
 * An entry of `NO_PROXY` is for a host and its subdomains. The client that stores artifacts expects `.host` without a
 * port, the other two clients expect `host`.
 */
function expand(exception) {
    const host = exception.replace(/^\*?\./, '');
    return [host, `.${host.replace(/:\d+$/, '')}`];
}
/** Plain http is allowed only if the host is this machine, because then the data never leave the machine. */
function isLoopback(hostname) {
    return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

// EXTERNAL MODULE: ./node_modules/valibot/dist/index.mjs
var dist = __webpack_require__(77934);
// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(77598);
;// CONCATENATED MODULE: ./lib/src/lib/format.js
/** "2,000". `toLocaleString` is not used because it needs 13 ms to load its language data. */
function count(number) {
    return String(number).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
/** "1 file", "2,000 files". */
function plural(number, noun) {
    return `${count(number)} ${noun}${number === 1 ? '' : 's'}`;
}
const UNITS = [
    ['GB', 1e9],
    ['MB', 1e6],
    ['kB', 1e3],
];
/** "1.5 MB". The units are decimal. */
function formatBytes(bytes) {
    const found = UNITS.find(([, size]) => bytes >= size);
    return found ? `${(bytes / found[1]).toFixed(1).replace(/\.0$/, '')} ${found[0]}` : plural(bytes, 'byte');
}
/** "a, b, c and 2 more": the first `max` names, and the number of the other names. */
function formatList(names, max = 5) {
    const hidden = names.length - max;
    return names.slice(0, max).join(', ') + (hidden > 0 ? ` and ${count(hidden)} more` : '');
}
/**
 * Returns undefined if the text is not JSON.
 *
 * @param revive replaces each value; `name` is that of its field, or its index in a list
 */
function parseJson(text, revive) {
    try {
        return JSON.parse(text, revive);
    }
    catch {
        return undefined;
    }
}
function messageOf(error) {
    return error instanceof Error ? error.message || error.name : String(error);
}
/** Cuts a text to at most `max` UTF-16 units, on a whole character, with an ellipsis if something is cut off. */
function truncate(text, max) {
    if (text.length <= max)
        return text;
    const start = text.slice(0, Math.max(0, max - 1));
    return `${start.replace(/[\ud800-\udbff]$/, '')}…`;
}

;// CONCATENATED MODULE: ./lib/src/http/http.js



function isSuccess({ status }) {
    return status >= 200 && status < 300;
}
/** A larger response is not read, because no response in the service's contract needs as much. */
const MAX_RESPONSE_BYTES = 16_000_000;
/** Reads a body to its end. Returns undefined if it has more than `max` bytes. */
async function readAll(body, max) {
    const pieces = [];
    let size = 0;
    for await (const piece of body) {
        size += piece.length;
        if (size > max)
            return undefined;
        pieces.push(piece);
    }
    return Buffer.concat(pieces);
}
const WEB_PAGE = 'a web page';
function isWebPage(text) {
    return /^\s*<(!doctype|html)/i.test(text);
}
/** More than reports show, because `submit` searches the message for the name of the refused file. */
const MAX_KEPT_LENGTH = 4000;
/** The fields in which the service and GitHub send a message. */
const MESSAGE_FIELDS = ['message', 'error', 'detail'];
/** The message in the body of an error response. A body of another form is the message itself. */
function messageFromBody(body) {
    if (isWebPage(body))
        return WEB_PAGE;
    const json = parseJson(body);
    const fields = new Map(typeof json === 'object' && json !== null ? Object.entries(json) : []);
    const texts = [json, ...MESSAGE_FIELDS.map((name) => fields.get(name))].filter((each) => typeof each === 'string');
    // An empty object says nothing.
    const text = texts.find((each) => each !== '') ?? (typeof json === 'object' && fields.size === 0 ? '' : body);
    return truncate(text.replaceAll(/\s+/g, ' ').trim().replace(/\.$/, ''), MAX_KEPT_LENGTH);
}
class ConnectionError extends Error {
    name = 'ConnectionError';
    /**
     * `no access`: another try would fail as well, because a certificate is not trusted or the proxy refuses. `FAILURES` in
     * `service/service-error.ts` says what each kind means for the run.
     */
    kind;
    /** What the user can do. Undefined if "check the network" is the only advice. */
    fix;
    /** @param message a text for users, such as "the host name x does not exist" */
    constructor(message, kind, fix) {
        super(message);
        this.kind = kind;
        this.fix = fix;
    }
}
const TLS_FAILURE = /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|EPROTO)/;
const PROXY_REFUSAL = /^Proxy response \((\d{3})\)|^Proxy Authentication Required \((407)\)/;
/** Codes of errors that a defect of this action causes. They must not be reported as an outage. */
const OUR_DEFECTS = /^(UND_ERR_INVALID_ARG|UND_ERR_NOT_SUPPORTED|UND_ERR_REQ_CONTENT_LENGTH_MISMATCH|ERR_INVALID_)/;
/**
 * The error to throw when no complete response came. An error that is not about the connection is returned unchanged.
 *
 * @param arrival `lost` becomes the `kind` of the error, whatever the error code says, unless the proxy refused
 */
function asConnectionError(error, arrival) {
    if (error instanceof GateError)
        return error;
    const proxyStatus = proxyRefusal(error);
    if (proxyStatus !== undefined)
        return refusedByProxy(proxyStatus);
    const failure = systemFailure(error);
    if (failure === undefined || OUR_DEFECTS.test(failure.code))
        return error;
    const noConnection = describeSystemFailure(failure);
    return arrival === 'no connection' ? noConnection : new ConnectionError(noConnection.message, arrival);
}
/** The status with which the proxy refused, if it did. `fetch` wraps that error, so the causes are searched as well. */
function proxyRefusal(error) {
    if (!(error instanceof Error))
        return undefined;
    return PROXY_REFUSAL.exec(error.message)?.slice(1).find(Boolean) ?? proxyRefusal(error.cause);
}
function refusedByProxy(status) {
    const fix = 'Ask the administrator of the proxy to allow this address, or add the host to `NO_PROXY`. If the proxy asks for credentials (407), add them to the address in `HTTPS_PROXY` (`http://user:password@proxy.example:3128`), from a secret.';
    const kind = Number(status) < 500 ? 'no access' : 'no connection';
    return new ConnectionError(`the proxy responded with ${status}`, kind, fix);
}
/** Keeps the system's message, which names the addresses tried. A TLS message names OpenSSL's source files: drop it. */
function describeSystemFailure({ code, message, hostname }) {
    if (code === 'ENOTFOUND')
        return new ConnectionError(`the host name ${hostname} does not exist`, 'unknown host');
    if (!TLS_FAILURE.test(code))
        return new ConnectionError(message || code, 'no connection');
    const fix = 'Check that the address is correct and that its certificate is valid and issued for this host. If a company proxy or a private authority issued it, store the certificate of that authority in a file and set `NODE_EXTRA_CA_CERTS` to its path in the `env` of the job.';
    return new ConnectionError(`the TLS connection failed (${code})`, 'no access', fix);
}
const SystemFailure = dist/* object */.Ikc({ code: dist/* string */.YjP(), message: dist/* string */.YjP(), hostname: dist/* optional */.lqM(dist/* string */.YjP(), '') });
/** If every address of a host refused the connection, the code is in the parts of an AggregateError. */
function systemFailure(error) {
    if (error instanceof AggregateError)
        return systemFailure(error.errors[0]);
    const failure = dist/* safeParse */.xLC(SystemFailure, error);
    if (failure.success)
        return failure.output;
    return error instanceof Error ? systemFailure(error.cause) : undefined;
}

// EXTERNAL MODULE: external "node:stream"
var external_node_stream_ = __webpack_require__(57075);
// EXTERNAL MODULE: external "node:zlib"
var external_node_zlib_ = __webpack_require__(38522);
;// CONCATENATED MODULE: ./lib/src/http/transport.js



/** How long establishing a connection may take, directly or through a proxy. */
const CONNECT_MS = 20_000;
/** A request to GitHub is given up after this time without a byte. `exchange` has its own time limits. */
const SILENCE_MS = 20_000;
const DECODERS = new Map([
    ['gzip', external_node_zlib_.createGunzip],
    ['br', external_node_zlib_.createBrotliDecompress],
]);
/** Node.js itself reads `NODE_EXTRA_CA_CERTS`, so private certificates need no option here. */
function createHttp() {
    let shared;
    return {
        async send(request) {
            if (!request.freshConnection)
                return await exchange(request, await (shared ??= createAgent()));
            const agent = await createAgent();
            return await exchange(request, agent).finally(() => void agent.destroy());
        },
    };
}
/** Sends one request. Ends when the response is complete, a time limit is exceeded or the request is aborted. */
async function exchange(request, agent) {
    const { timeoutMs } = request;
    let arrival = 'no connection';
    let isResponding = false;
    const limits = new AbortController();
    const limit = (milliseconds, what) => {
        const message = `${what} ${Math.round(milliseconds / 1000)} s`;
        return setTimeout(() => limits.abort(new ConnectionError(message, arrival)), milliseconds);
    };
    let timer = limit(Math.min(CONNECT_MS, timeoutMs), 'no connection for');
    const awaitResponse = (milliseconds) => {
        // A server may respond while the body is still being sent. Then only the response is timed.
        if (isResponding)
            return;
        clearTimeout(timer);
        timer = limit(milliseconds, 'no response for');
    };
    async function* watched(body) {
        for await (const piece of body) {
            awaitResponse(timeoutMs);
            yield piece;
        }
        awaitResponse(responseTimeoutMs(request));
    }
    const signal = AbortSignal.any([request.signal, limits.signal]);
    const aborted = Promise.withResolvers();
    const onAbort = () => aborted.reject(signal.reason);
    try {
        signal.throwIfAborted();
        signal.addEventListener('abort', onAbort);
        const connected = () => {
            arrival = 'lost';
            awaitResponse(timeoutMs);
        };
        const body = typeof request.body === 'object' ? watched(request.body) : request.body;
        const sending = agent.compose(whenConnected(connected)).request({ ...requestOptions(request, body), signal });
        // undici notices an abort only after the connection is established, so the abort is awaited here as well.
        const response = await Promise.race([sending, aborted.promise]);
        isResponding = true;
        clearTimeout(timer);
        timer = limit(timeoutMs, 'the response was not complete after');
        const decoder = DECODERS.get(single(response.headers['content-encoding'])?.toLowerCase());
        // The callback ignores an error, because `readAll` throws the same error.
        const received = decoder ? (0,external_node_stream_.pipeline)(response.body, decoder(), () => undefined) : response.body;
        const bytes = await readAll(received, MAX_RESPONSE_BYTES);
        return {
            status: response.statusCode,
            retryAfter: single(response.headers['retry-after']),
            text: bytes?.toString('utf8'),
        };
    }
    catch (error) {
        request.signal.throwIfAborted();
        throw asConnectionError(error, arrival);
    }
    finally {
        clearTimeout(timer);
        // The run's signal outlives the request: with this listener it would keep the request's data in memory.
        signal.removeEventListener('abort', onAbort);
        if (typeof request.body === 'object')
            await request.body.return();
    }
}
/** Time to transfer one byte at 100 kB a second. */
const MS_PER_BYTE = 0.01;
const MAX_RESPONSE_TIMEOUT_MS = 30 * 60_000;
/** A proxy or gateway may accept a whole body at once and forward it slowly, so the wait grows with the body. */
function responseTimeoutMs({ headers, timeoutMs }) {
    return Math.min(MAX_RESPONSE_TIMEOUT_MS, timeoutMs + Number(headers['content-length']) * MS_PER_BYTE);
}
function requestOptions(request, body) {
    const { origin, pathname, search } = new URL(request.url);
    return {
        origin,
        path: pathname + search,
        method: request.method,
        headers: request.headers,
        // @ts-expect-error undici accepts an async iterable, but its types do not include one.
        body: body ?? null,
        headersTimeout: 0,
        bodyTimeout: 0,
    };
}
/** Calls back just before the first byte is sent. From then on, the server may have received the request. */
function whenConnected(callback) {
    return (dispatch) => (options, handler) => dispatch(options, {
        onRequestStart(controller, context) {
            callback();
            handler.onRequestStart?.(controller, context);
        },
        onResponseStart: (...parameters) => handler.onResponseStart?.(...parameters),
        onResponseData: (...parameters) => handler.onResponseData?.(...parameters),
        onResponseEnd: (...parameters) => handler.onResponseEnd?.(...parameters),
        onResponseError: (...parameters) => handler.onResponseError?.(...parameters),
    });
}
function single(header) {
    return Array.isArray(header) ? header[0] : header;
}
/**
 * Connects through the proxy in the variables that `unifyProxies` has rewritten. HTTP/2 stays off: several large bodies
 * over one connection share one window and slow each other down.
 */
async function createAgent() {
    // undici is loaded at the first request: a run that sends nothing ends 50 ms earlier.
    const { EnvHttpProxyAgent } = await Promise.resolve(/* import() */).then(__webpack_require__.t.bind(__webpack_require__, 46752, 19));
    return new EnvHttpProxyAgent({
        allowH2: false,
        connectTimeout: CONNECT_MS,
        headersTimeout: SILENCE_MS,
        bodyTimeout: SILENCE_MS,
        // Plain http is allowed for this machine only and uses no proxy.
        httpProxy: '',
        // The entries `.host` are removed. `unifyProxies` adds them for the client that stores artifacts. undici would take
        // them for every port of the host, although the user may have excepted one port only.
        noProxy: (process.env['NO_PROXY'] ?? '').replaceAll(/(?<=^|,)\.[^,]*/g, ''),
    });
}

;// CONCATENATED MODULE: ./lib/src/lib/async.js
/** Rejects with the signal's reason as soon as the signal is aborted. Node's own `setTimeout` hides the reason. */
async function sleep(milliseconds, signal) {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers();
    const stop = () => reject(signal.reason);
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', stop);
    await promise.finally(() => {
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
    });
}
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 15_000;
/** Exponential backoff with jitter. The delay is at least half of the step, so that no try follows immediately. */
function backoff(tries) {
    const step = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (tries - 1));
    return step / 2 + (step / 2) * Math.random();
}
/** Returns a signal that is aborted the given time after the other signal. */
function abortedLater(signal, milliseconds) {
    const later = new AbortController();
    const abort = () => void setTimeout(() => later.abort(signal.reason), milliseconds);
    if (signal.aborted)
        abort();
    else
        signal.addEventListener('abort', abort, { once: true });
    return later.signal;
}
/**
 * Starts `work` for all items in order, at most `limit` at a time. After the first failure no further item is started,
 * and the failure is thrown when every started item has ended.
 *
 * @param work gets a signal that is aborted when another item fails
 */
async function concurrently(items, limit, work) {
    const inTurn = createQueue(limit);
    const stop = new AbortController();
    const run = async (item) => {
        stop.signal.throwIfAborted();
        try {
            return await work(item, stop.signal);
        }
        catch (error) {
            stop.abort(error);
            throw error;
        }
    };
    const running = items.map(async (item) => await inTurn(async () => await run(item)));
    await Promise.allSettled(running);
    stop.signal.throwIfAborted();
    return await Promise.all(running);
}
/**
 * Returns a function that starts work, at most `limit` at a time, urgent work first. Work is started a moment later, so
 * that urgent work which is queued at the same time comes first.
 */
function createQueue(limit) {
    const urgent = [];
    const others = [];
    let running = 0;
    const next = () => {
        const start = running < limit ? (urgent.shift() ?? others.shift()) : undefined;
        if (!start)
            return;
        running += 1;
        start();
    };
    return async (work, isUrgent = false) => {
        const { promise: isTurn, resolve: start } = Promise.withResolvers();
        (isUrgent ? urgent : others).push(start);
        queueMicrotask(next);
        await isTurn;
        try {
            return await work();
        }
        finally {
            running -= 1;
            next();
        }
    };
}

;// CONCATENATED MODULE: ./lib/src/github/connect.js





/** A request to GitHub failed after all tries. The caller decides whether the run can go on without the response. */
class GitHubError extends Error {
    name = 'GitHubError';
    trouble;
    /** What the user can do about the problem. */
    fix;
    /** @param operation a phrase that fits behind "Could not" */
    constructor(operation, { trouble, problem, fix }, options) {
        super(`Could not ${operation}: ${problem}.`, options);
        this.trouble = trouble;
        this.fix = fix;
    }
    /** What happened, and what to do. */
    get notice() {
        return `${this.message} ${this.fix}`;
    }
}
/** The fields that this action reads from the error that octokit throws for a response with an error status. */
const Refused = dist/* object */.Ikc({
    status: dist/* number */.aig(),
    response: dist/* object */.Ikc({
        /** The last address, if a download was redirected. */
        url: dist/* optional */.lqM(dist/* string */.YjP(), ''),
        headers: dist/* optional */.lqM(dist/* object */.Ikc({ 'x-ratelimit-remaining': dist/* optional */.lqM(dist/* string */.YjP()) }), {}),
        data: dist/* unknown */.L5J(),
    }),
});
const RERUN = 'Re-run the job. If this happens again, look at https://www.githubstatus.com, and at the proxy in between.';
function asGitHubError(cause, { operation, host, needs, clean }) {
    if (cause instanceof GitHubError)
        return cause;
    const failure = (trouble, problem, fix) => new GitHubError(operation, { trouble, problem, fix }, { cause });
    if (dist/* isValiError */.F1$(cause))
        return failure('outage', 'the response is not in the documented form', RERUN);
    const refused = dist/* safeParse */.xLC(Refused, cause);
    if (!refused.success) {
        const error = asConnectionError(cause, 'no connection');
        const { fix = RERUN } = error instanceof ConnectionError ? error : {};
        return failure('outage', `no response from ${host} (${messageOf(error)})`, fix);
    }
    const { status, response } = refused.output;
    const { data, headers, url } = response;
    const sender = URL.parse(url)?.host ?? host;
    const message = messageFromBody(clean(typeof data === 'string' ? data : JSON.stringify(data ?? '')));
    const problem = `${sender} responded with ${status}${message && `, ${JSON.stringify(message)}`}`;
    const isLimit = status === 403 && (headers['x-ratelimit-remaining'] === '0' || /rate limit/i.test(message));
    // A refusal of another host, such as the storage, says nothing about permissions.
    const isOutage = status >= 500 || status === 429 || isLimit || sender !== host || isPage(data);
    if (isOutage)
        return failure('outage', problem, RERUN);
    const isDeleted = status === 404 || status === 410;
    const fix = `Give the job \`permissions: ${needs}\`. If it has this permission, leave \`github-token\` to its default, or give it a token of this repository that has not expired.`;
    return failure(isDeleted ? 'deleted' : 'refused', problem, fix);
}
/** GitHub's API responds with JSON or with nothing. Anything else is the page of a gateway or a storage. */
function isPage(data) {
    if (data instanceof ArrayBuffer)
        return data.byteLength > 0;
    return typeof data === 'string' && data.trim() !== '' && typeof parseJson(data) !== 'object';
}
const TRIES = 3;
/** A log that drops everything: octokit would write to the console without the escaping of `Log`. */
const SILENT = { debug: () => { }, info: () => { }, warn: () => { }, error: () => { } };
/**
 * The returned function runs `work`, which makes one request and reads its response, up to three times. It throws a
 * `GitHubError` if every try fails. `operation` fits behind "Could not"; `needs` is the permission for the request, as it
 * is written in a workflow.
 */
function connect({ token, apiUrl, signal, clean, pause = backoff }) {
    const host = URL.parse(apiUrl)?.host ?? 'GitHub';
    const load = async () => {
        const [github, fetch] = await Promise.all([__webpack_require__.e(/* import() */ 351).then(__webpack_require__.bind(__webpack_require__, 61351)), loadFetch()]);
        return github.getOctokit(token, { baseUrl: apiUrl, log: SILENT, request: { fetch, signal, log: SILENT } });
    };
    let loaded;
    return async (operation, needs, work) => {
        if (token === '') {
            const fix = `Remove \`github-token\` from the step: its default is the token of the job, which needs \`permissions: ${needs}\`.`;
            throw new GitHubError(operation, { trouble: 'refused', problem: 'the input `github-token` is empty', fix });
        }
        // The client is loaded when it is first needed: a run that sends GitHub no request saves a tenth of a second.
        const octokit = (loaded ??= await load());
        for (let attempt = 1;; attempt++) {
            try {
                return await work(octokit);
            }
            catch (error) {
                signal.throwIfAborted();
                const failure = asGitHubError(error, { operation, host, needs, clean });
                if (failure.trouble !== 'outage' || attempt === TRIES)
                    throw failure;
                await sleep(pause(attempt), signal);
            }
        }
    };
}
/** Follows no redirect but the one from an archive to its storage, which gets no token. */
async function loadFetch() {
    const [{ fetch }, dispatcher] = await Promise.all([Promise.resolve(/* import() */).then(__webpack_require__.t.bind(__webpack_require__, 46752, 19)), createAgent()]);
    return async (url, options) => {
        const request = { dispatcher, redirect: 'manual' };
        let response = await fetch(url, { ...options, ...request });
        const location = response.headers.get('location');
        if (isRedirect(response) && location !== null && /\/artifacts\/\d+\/zip$/.test(response.url)) {
            await response.body?.cancel();
            response = await fetch(location, { signal: options?.signal ?? null, ...request });
        }
        // octokit takes every status below 400 for a success.
        if (isRedirect(response))
            throw new Error(`a redirect with ${response.status}, which is not followed`);
        return response;
    };
}
function isRedirect({ status }) {
    return status >= 300 && status < 400;
}
const PAGE_SIZE = 100;
/** Limits the lists of comments and changed files: anybody can add to them. GitHub lists at most 3,000 changed files. */
const MAX_PAGES = 30;
/** A page with fewer items than requested need not be the last one. */
function asPage(items, { link = '' }) {
    return { items, isCut: items.length >= PAGE_SIZE || /rel="?next\b/.test(link) };
}
/** Counts the pages itself: a `Link` header may lead to another host, or to the same page again. */
async function readPages(readPage) {
    const items = [];
    for (let page = 1; page <= MAX_PAGES; page++) {
        const found = await readPage({ page, per_page: PAGE_SIZE });
        items.push(...found.items);
        if (!found.isCut)
            return { items, isCut: false };
    }
    return { items, isCut: true };
}
function undefinedIfDeleted(error) {
    if (!(error instanceof GitHubError) || error.trouble !== 'deleted')
        throw error;
}

;// CONCATENATED MODULE: ./lib/src/github/artifacts.js





const Artifact = dist/* pipe */.FsL(dist/* object */.Ikc({
    id: dist/* number */.aig(),
    name: dist/* string */.YjP(),
    /** The hash of the uploaded archive. Undefined for older artifacts, or if a server sends it in another form. */
    digest: dist/* fallback */.NpB(dist/* optional */.lqM(dist/* pipe */.FsL(dist/* string */.YjP(), dist/* regex */.yGV(/^sha256:[0-9a-f]{64}$/))), undefined),
    expired: dist/* boolean */.zMY(),
    workflow_run: dist/* nullish */.cl6(dist/* object */.Ikc({
        id: dist/* nullish */.cl6(dist/* number */.aig()),
        repository_id: dist/* nullish */.cl6(dist/* number */.aig()),
        head_repository_id: dist/* nullish */.cl6(dist/* number */.aig()),
        head_branch: dist/* nullish */.cl6(dist/* string */.YjP()),
        head_sha: dist/* nullish */.cl6(dist/* string */.YjP()),
    })),
}), dist/* transform */.pdi(({ id, name, digest, expired, workflow_run: run }) => ({
    id,
    name,
    digest,
    isExpired: expired,
    runId: String(run?.id ?? ''),
    /** For some events, GitHub reports the default branch as `branch`, and a commit of it as `commit`. */
    branch: run?.head_branch ?? undefined,
    commit: run?.head_sha ?? undefined,
    headRepositoryId: run?.head_repository_id ?? undefined,
    /** False for an artifact of a fork's run. A fork can give its artifacts any name. */
    isOfRepository: Boolean(run?.id && run.repository_id && run.repository_id === run.head_repository_id),
})));
/** No larger archive is read. The state of ten thousand files is far smaller. */
const MAX_DOWNLOAD_BYTES = 64 * 1024 * 1024;
/** The requests about the artifacts of all runs. */
function artifactRequests(send, here) {
    return {
        /** One page, counted from 1, of the artifacts with one name, or of all: of all runs, even of forks, in no documented order. */
        artifacts: async (name, page) => await send('list the artifacts', 'actions: read', async ({ rest }) => {
            const wanted = { ...here, ...(name !== undefined && { name }), page, per_page: PAGE_SIZE };
            const { data, headers } = await rest.actions.listArtifactsForRepo(wanted);
            return asPage(dist/* parse */.qgA(dist/* object */.Ikc({ artifacts: dist/* array */.YOg(Artifact) }), data).artifacts, headers);
        }),
        /**
         * Downloads an artifact. Empty if it is larger than 64 MiB, undefined if it was deleted or has expired. Throws if an
         * artifact of this repository arrives damaged. Those of forks are not checked, because a fork can upload any bytes.
         */
        artifactArchive: async (artifact) => {
            const { id, name, runId, isOfRepository, digest } = artifact;
            const operation = `download the artifact ${name} of run ${runId}`;
            const readWhole = async ({ rest }) => {
                const request = { parseSuccessResponseBody: false };
                const wanted = { ...here, artifact_id: id, archive_format: 'zip', request };
                const { data } = await rest.actions.downloadArtifact(wanted);
                const archive = dist/* parse */.qgA(dist/* instance */.KJ$(ReadableStream), data);
                const bytes = await readAll(archive, MAX_DOWNLOAD_BYTES);
                if (!bytes)
                    return Buffer.alloc(0);
                const arrived = `sha256:${(0,external_node_crypto_.hash)('sha256', bytes)}`;
                if (!isOfRepository || digest === undefined || arrived === digest)
                    return bytes;
                const problem = `its digest is ${digest}, but what arrived has ${arrived}`;
                throw new GitHubError(operation, { trouble: 'outage', problem, fix: 'Re-run the job.' });
            };
            return await send(operation, 'actions: read', readWhole).catch(undefinedIfDeleted);
        },
    };
}
/** Limits one upload or deletion. If GitHub sends no response, the client makes five tries of three minutes each. */
const MAX_MS = 120_000;
/** Returns the artifact's id. With `isUnpacked`, a single file is not zipped, so that a browser can show it. */
async function uploadArtifact(artifact) {
    const { name, files, retentionDays, isUnpacked = false } = artifact;
    const [first = ''] = files;
    // The client warns if the days exceed the repository's maximum. Other runners than GitHub's set 0 for no maximum.
    const maxDays = Number.parseInt(process.env['GITHUB_RETENTION_DAYS'] ?? '', 10) || retentionDays;
    const options = { retentionDays: Math.min(retentionDays, maxDays), skipArchive: isUnpacked };
    const client = await loadClient();
    const uploading = client.uploadArtifact(name, [...files], external_node_path_.dirname(first), options);
    return (await inTime(uploading, 'accept the artifact')).id;
}
/** The artifacts of this run, of all its attempts and jobs. The runner's own token is enough to list them. */
async function listArtifactsOfRun(runId) {
    const client = await loadClient();
    const { artifacts } = await inTime(client.listArtifacts(), 'list the artifacts of the run');
    return artifacts.map(({ digest, ...artifact }) => ({
        ...artifact,
        runId,
        isOfRepository: true,
        digest: digest || undefined,
    }));
}
/** Deletes a finalized artifact of this run. An upload that was never finalized cannot be deleted. */
async function deleteArtifact(name) {
    const client = await loadClient();
    await inTime(client.deleteArtifact(name), 'delete the artifact');
}
/** Loads the client when it is first needed, because loading takes a fifth of a second. */
async function loadClient() {
    const { DefaultArtifactClient } = await Promise.all(/* import() */[__webpack_require__.e(351), __webpack_require__.e(645)]).then(__webpack_require__.bind(__webpack_require__, 9645));
    return new DefaultArtifactClient();
}
/** Stops waiting after `MAX_MS`. The client cannot be cancelled: its work goes on until the process ends. */
async function inTime(work, operation) {
    const { promise: tooLate, reject } = Promise.withResolvers();
    const error = new Error(`GitHub did not ${operation} within ${MAX_MS / 1000} s`);
    const timer = setTimeout(() => reject(error), MAX_MS);
    return await Promise.race([work, tooLate]).finally(() => clearTimeout(timer));
}

;// CONCATENATED MODULE: ./lib/src/github/api.js



// The fields of GitHub's responses that this action reads. All other fields are dropped.
const User = dist/* object */.Ikc({ login: dist/* string */.YjP() });
const ChangedFile = dist/* object */.Ikc({
    filename: dist/* string */.YjP(),
    /** GitHub sends added, removed, modified, renamed, copied or changed. Gitea also sends deleted. */
    status: dist/* string */.YjP(),
    /** The old name of a renamed file. */
    previous_filename: dist/* optional */.lqM(dist/* string */.YjP()),
});
const Side = dist/* object */.Ikc({
    ref: dist/* string */.YjP(),
    sha: dist/* string */.YjP(),
    /** GitHub sends `owner:branch`, Gitea only the branch, and a `workflow_run` event nothing. */
    label: dist/* nullish */.cl6(dist/* string */.YjP()),
    /** The repository is null if the fork was deleted. */
    repo: dist/* nullish */.cl6(dist/* object */.Ikc({ id: dist/* number */.aig() })),
});
/** A pull request, as GitHub sends it in a response or in the payload of an event. */
const PullRequest = dist/* pipe */.FsL(dist/* object */.Ikc({
    number: dist/* number */.aig(),
    html_url: dist/* nullish */.cl6(dist/* string */.YjP()),
    head: Side,
    base: Side,
    merged_at: dist/* nullish */.cl6(dist/* string */.YjP()),
    changed_files: dist/* nullish */.cl6(dist/* number */.aig()),
}), dist/* transform */.pdi(({ number, html_url, head, base, merged_at, changed_files }) => {
    // `head.repo.fork` is also true for a pull request inside a repository that is itself a fork.
    const isFork = !head.repo || head.repo.id !== base.repo?.id;
    const label = head.label?.includes(':') ? head.label : `:${head.ref}`;
    return {
        number,
        url: html_url ?? undefined,
        headSha: head.sha,
        headRef: head.ref,
        /** Undefined if the fork was deleted. */
        headRepositoryId: head.repo?.id,
        /** `owner:branch` for a fork, so that the fork's `main` differs from ours. */
        branch: isFork ? label : head.ref,
        baseBranch: base.ref,
        baseCommit: base.sha,
        baseRepositoryId: base.repo?.id,
        isFork,
        isMerged: typeof merged_at === 'string',
        changedFiles: changed_files ?? undefined,
    };
}));
/** A file of at most 1 MB. For directories, links and larger files, GitHub sends other fields. */
const FileContent = dist/* object */.Ikc({
    type: dist/* literal */.euz('file'),
    encoding: dist/* literal */.euz('base64'),
    content: dist/* string */.YjP(),
});
const Commit = dist/* object */.Ikc({ parents: dist/* array */.YOg(dist/* object */.Ikc({ sha: dist/* string */.YjP() })) });
/** A comment in the conversation of a pull request. `user` is null if the account of its author was deleted. */
const Comment = dist/* object */.Ikc({
    id: dist/* number */.aig(),
    body: dist/* nullish */.cl6(dist/* string */.YjP()),
    user: dist/* nullish */.cl6(User),
});
/** The requests to GitHub about the repository of the run. If a request fails, its method throws a GitHubError. */
function createGitHubApi(options) {
    const send = connect(options);
    const [owner = '', repo = ''] = options.repository.split('/');
    const here = { owner, repo };
    return {
        pullRequestFiles: async (number) => await readPages((page) => send('list the changed files', 'pull-requests: read', async ({ rest }) => {
            const { data, headers } = await rest.pulls.listFiles({ ...here, pull_number: number, ...page });
            return asPage(dist/* parse */.qgA(dist/* array */.YOg(ChangedFile), data), headers);
        })),
        pullRequest: async (number) => await send('read the pull request', 'pull-requests: read', async ({ rest }) => {
            const { data } = await rest.pulls.get({ ...here, pull_number: number });
            return dist/* parse */.qgA(PullRequest, data);
        }),
        /** Lists the pull requests that merged the commit, and the open ones that contain the commit. */
        pullRequestsOf: async (commit) => await send('find the pull request of a commit', 'pull-requests: read', async ({ rest }) => {
            const { data } = await rest.repos.listPullRequestsAssociatedWithCommit({ ...here, commit_sha: commit });
            return dist/* parse */.qgA(dist/* array */.YOg(PullRequest), data);
        }),
        /** Reads a file at a commit, by default at the default branch. Returns undefined if the file does not exist. */
        textAt: async (path, commit) => {
            const operation = `read ${JSON.stringify(path)} at ${commit?.slice(0, 7) ?? 'the default branch'}`;
            const reading = send(operation, 'contents: read', async ({ rest }) => {
                const { data } = await rest.repos.getContent({ ...here, path, ...(commit !== undefined && { ref: commit }) });
                return Buffer.from(dist/* parse */.qgA(FileContent, data).content, 'base64').toString('utf8');
            });
            return await reading.catch(undefinedIfDeleted);
        },
        /** Empty if GitHub does not have the commit, as one that a step of the workflow made. */
        parentsOf: async (commit) => {
            const reading = send(`read the commit ${commit.slice(0, 7)}`, 'contents: read', async ({ rest }) => {
                const { data } = await rest.git.getCommit({ ...here, commit_sha: commit });
                return dist/* parse */.qgA(Commit, data).parents.map(({ sha }) => sha);
            });
            return (await reading.catch(undefinedIfDeleted)) ?? [];
        },
        comments: async (number) => await readPages((page) => 
        // A run lists the comments before it writes one, so the message names the permission that covers both.
        send('list the comments', 'pull-requests: write', async ({ rest }) => {
            const { data, headers } = await rest.issues.listComments({ ...here, issue_number: number, ...page });
            return asPage(dist/* parse */.qgA(dist/* array */.YOg(Comment), data), headers);
        })),
        createComment: async (number, body) => await send('write the comment', 'pull-requests: write', async ({ rest }) => {
            await rest.issues.createComment({ ...here, issue_number: number, body });
        }),
        updateComment: async (id, body) => await send('update the comment', 'pull-requests: write', async ({ rest }) => {
            await rest.issues.updateComment({ ...here, comment_id: id, body });
        }),
        /** The login of the token's account. The login of an app may or may not end in `[bot]`. */
        tokenLogin: async () => await send('find out whose token this is', 'pull-requests: read', async ({ graphql, rest }) => {
            try {
                // GitHub's REST API does not say which app an installation token belongs to.
                return dist/* parse */.qgA(dist/* object */.Ikc({ viewer: User }), await graphql('query { viewer { login } }')).viewer.login;
            }
            catch (error) {
                // Gitea and Forgejo have no GraphQL API, but their REST API returns the login.
                if (!dist.is(dist/* object */.Ikc({ status: dist/* literal */.euz(404) }), error))
                    throw error;
                return dist/* parse */.qgA(User, (await rest.users.getAuthenticated()).data).login;
            }
        }),
        ...artifactRequests(send, here),
    };
}

// EXTERNAL MODULE: external "node:child_process"
var external_node_child_process_ = __webpack_require__(31421);
// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(51455);
// EXTERNAL MODULE: external "node:os"
var external_node_os_ = __webpack_require__(48161);
// EXTERNAL MODULE: external "node:util"
var external_node_util_ = __webpack_require__(57975);
;// CONCATENATED MODULE: ./lib/src/lib/file-system.js

/** Whether the error is from the file system. Its `code` is then a text such as ENOENT. */
function isSystemError(error) {
    return error instanceof Error && 'syscall' in error;
}
/** The path relative to a folder, with forward slashes; empty for the folder itself. Undefined if it is not in it. */
function relativeTo(folder, file) {
    const relative = external_node_path_.relative(folder, file).replaceAll(external_node_path_.sep, '/');
    return relative.split('/')[0] === '..' || external_node_path_.isAbsolute(relative) ? undefined : relative;
}
/** The folders that hold a file, by its relative path. The nearest comes first. The top folder is left out. */
function foldersAbove(file) {
    const folder = external_node_path_.posix.dirname(file);
    return folder === '.' ? [] : [folder, ...foldersAbove(folder)];
}

;// CONCATENATED MODULE: ./lib/src/github/checkout.js







/** Finds the nearest `.git/HEAD`, in the searched folder or in a folder above it, up to the workspace. */
async function readCheckout(searchRoot, workspace) {
    for (let folder = searchRoot;; folder = external_node_path_.dirname(folder)) {
        const gitFolder = external_node_path_.join(folder, '.git');
        const text = await (0,promises_.readFile)(external_node_path_.join(gitFolder, 'HEAD'), 'utf8').catch(() => undefined);
        if (text !== undefined)
            return { checkoutRoot: folder, head: COMMIT.exec(text)?.[0] ?? (await askGit(gitFolder)) };
        if (!folder.startsWith(workspace + external_node_path_.sep))
            return {};
    }
}
const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?(?=\s|$)/;
/**
 * Asks git for the commit. Undefined if git fails. The command is safe in a folder whose files come from a pull
 * request: it runs no hook and no program of a configuration, and it gets none of the secrets in the environment.
 */
async function askGit(gitFolder) {
    const settings = ['-c', `core.hooksPath=${external_node_os_.devNull}`, '-c', 'core.fsmonitor=false'];
    const { PATH, SYSTEMROOT } = process.env;
    const options = {
        env: { PATH, SYSTEMROOT, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: external_node_os_.devNull },
        // Windows looks for a program in the current folder first, and the workspace could have a `git.exe`.
        cwd: external_node_path_.dirname(process.execPath),
        timeout: 5_000,
        killSignal: 'SIGKILL',
    };
    try {
        const command = [`--git-dir=${gitFolder}`, ...settings, 'rev-parse', '--verify', 'HEAD'];
        return COMMIT.exec((await (0,external_node_util_.promisify)(external_node_child_process_.execFile)('git', command, options)).stdout)?.[0];
    }
    catch {
        return undefined;
    }
}
/** The searched folder in the checkout, or in the workspace, with a slash at the end. Empty if it is the top folder. */
function folderIn(place) {
    const folder = relativeTo(place.checkoutRoot ?? place.workspace, place.searchRoot);
    return folder ? `${folder}/` : '';
}
/**
 * Throws a `GateError` if other media than those of the event may be checked out. HEAD must be the commit of the event,
 * or a commit that has it as its second parent, as GitHub's merge of a pull request does. An unknown HEAD is refused
 * where `actions/checkout` takes the default branch unless a `ref` says otherwise, and the code may be a fork's.
 */
async function assertHeadCheckedOut(run, api) {
    const { event, head, eventCommit, isPayloadIncomplete } = run;
    if (isPayloadIncomplete) {
        const message = `The payload of this \`${event}\` event does not name the commits and repositories of its head and base.`;
        throw wrongCheckout(message, event === 'workflow_run' ? AFTER_TARGET : INCOMPLETE);
    }
    const mayBeOfFork = event === 'pull_request_target' || event === 'workflow_run';
    const isChecked = mayBeOfFork || event === 'merge_group' || event.startsWith('pull_request');
    if (!isChecked || head === eventCommit || (head === undefined && !mayBeOfFork))
        return;
    const [, merged] = head === undefined ? [] : await api.parentsOf(head);
    if (merged === eventCommit)
        return;
    const wanted = `the commit of the event (${eventCommit.slice(0, 7)})`;
    const message = head === undefined
        ? `The folder that is searched is in no Git checkout whose commit can be read, so it may not hold ${wanted}.`
        : `The workspace holds commit ${head.slice(0, 7)}, which is neither ${wanted} nor its merge into the base.`;
    const late = rerun('If `ref` is right, GitHub still had the merge of an earlier push: re-run this job.');
    throw wrongCheckout(message, workflowOwner(checkoutFix(run)), late);
}
function checkoutFix({ event, pullRequest }) {
    const folder = 'If its `path` is set, set `working-directory` to the same folder.';
    if (event !== 'pull_request_target' && event !== 'workflow_run')
        return `Before this step, run \`actions/checkout\` without \`ref\`. ${folder}`;
    const number = event === 'workflow_run' ? 'NUMBER' : '${{ github.event.pull_request.number }}';
    const ref = pullRequest ? `refs/pull/${number}/merge` : '${{ github.event.workflow_run.head_sha }}';
    const example = pullRequest && event === 'workflow_run' ? ' (`fork-safe-gate.yml` looks the number up)' : '';
    // Without this option, actions/checkout 7 refuses to check out the head of a fork.
    const unsafe = pullRequest?.isFork ? ' and `allow-unsafe-pr-checkout: true`' : '';
    return `Before this step, run \`actions/checkout\` with \`ref: ${ref}\`${example}${unsafe}. ${folder} This job has secrets, so run nothing from that checkout: no build, no install, no script.`;
}
const INCOMPLETE = workflowOwner('Start the workflow with the whole payload of the event, as GitHub sends it.');
const AFTER_TARGET = workflowOwner('A `workflow_run` must not follow `pull_request_target`: run the gate in the followed workflow itself, or follow one that runs on `pull_request`.');
function wrongCheckout(message, ...steps) {
    return new GateError({ reason: 'checkout', message, steps });
}
/** The commit that a run checked, and its ref, which is empty if the workflow has checked out another commit. */
function checkedCommit({ head, commit, ref }) {
    return head === undefined || head === commit ? { commit, ref } : { commit: head, ref: '' };
}
/** Whether `upload-sarif` files results under HEAD. Otherwise it would open and close the alerts of another commit. */
function isScannedCommit({ event, head, commit, eventCommit }) {
    return head === commit || (event === 'pull_request' && head === eventCommit);
}

// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(73024);
;// CONCATENATED MODULE: ./lib/src/github/context.js




const Repository = dist/* object */.Ikc({ id: dist/* number */.aig(), default_branch: dist/* optional */.lqM(dist/* string */.YjP()) });
const MergeGroup = dist/* object */.Ikc({ head_ref: dist/* string */.YjP(), base_ref: dist/* string */.YjP(), base_sha: dist/* string */.YjP() });
const WorkflowRun = dist/* object */.Ikc({
    event: dist/* string */.YjP(),
    head_branch: dist/* nullish */.cl6(dist/* string */.YjP()),
    head_sha: dist/* string */.YjP(),
    head_repository: dist/* nullish */.cl6(dist/* object */.Ikc({ id: dist/* number */.aig(), owner: dist/* nullish */.cl6(dist/* object */.Ikc({ login: dist/* string */.YjP() })) })),
    pull_requests: dist/* fallback */.NpB(dist/* array */.YOg(PullRequest), []),
});
/** Malformed parts of a payload are left out, so that they cannot break the run. */
const EventPayload = dist/* object */.Ikc({
    repository: dist/* fallback */.NpB(dist/* optional */.lqM(Repository), undefined),
    pull_request: dist/* fallback */.NpB(dist/* optional */.lqM(PullRequest), undefined),
    merge_group: dist/* fallback */.NpB(dist/* optional */.lqM(MergeGroup), undefined),
    workflow_run: dist/* fallback */.NpB(dist/* optional */.lqM(WorkflowRun), undefined),
});
/** Empty if the file is missing or cannot be read. */
function readEvent(file) {
    try {
        return dist/* parse */.qgA(EventPayload, JSON.parse((0,external_node_fs_.readFileSync)(file ?? '', 'utf8')));
    }
    catch {
        return {};
    }
}
/**
 * Whether a run checks what its branch holds, so that waivers of its checkout count and its state may be a baseline.
 * `workflow_run` does not: after a tag's push, it names the tag as branch.
 */
function isBranchEvent(event) {
    return ['push', 'schedule', 'workflow_dispatch'].includes(event);
}
/**
 * Reads the runner's variables and the event's payload. Outside a runner every field has a harmless value. The checkout
 * is read by `readCheckout`, when `working-directory` is known.
 */
function readContext(env) {
    const payload = readEvent(env['GITHUB_EVENT_PATH']);
    // Gitea's addresses may end in a slash.
    const urlOf = (name, url) => (env[name] || url).replace(/\/$/, '');
    const serverUrl = urlOf('GITHUB_SERVER_URL', 'https://github.com');
    const { GITHUB_REPOSITORY: repository = '' } = env;
    const runId = env['GITHUB_RUN_ID'] ?? '';
    const commit = env['GITHUB_SHA'] ?? '';
    const ref = env['GITHUB_REF'] ?? '';
    const event = env['GITHUB_EVENT_NAME'] ?? '';
    const workspace = env['GITHUB_WORKSPACE'] ?? process.cwd();
    return {
        repository,
        /** Gitea gives no id, so the name replaces it: a repository must not accept the state of another repository. */
        repositoryId: env['GITHUB_REPOSITORY_ID'] || String(payload.repository?.id ?? repository),
        /** Of a pull request the merge commit, otherwise that of the branch or tag of the run. */
        commit,
        /** refs/heads/main, refs/pull/7/merge, … */
        ref,
        event,
        runId,
        /** 1 for the first run. Each re-run adds 1. */
        runAttempt: Number(env['GITHUB_RUN_ATTEMPT']) || 1,
        runUrl: repository && runId ? `${serverUrl}/${repository}/actions/runs/${runId}` : '',
        /** The path of the workflow file, or the name of the workflow if the path is unknown. */
        workflow: workflowPath(env['GITHUB_WORKFLOW_REF'] ?? '', repository) ?? env['GITHUB_WORKFLOW'] ?? '',
        job: env['GITHUB_JOB'] ?? '',
        ...changes(payload, { event, commit, ref }),
        defaultBranch: payload.repository?.default_branch,
        serverUrl,
        apiUrl: urlOf('GITHUB_API_URL', 'https://api.github.com'),
        workspace,
        /** The folder that is searched: another one if `working-directory` is set. */
        searchRoot: workspace,
        /** The folder for temporary files. The runner empties its own one after each job. */
        temp: env['RUNNER_TEMP'] || (0,external_node_os_.tmpdir)(),
    };
}
/** Only the part of the payload that describes the event counts: `deployment_status` also has a `workflow_run`. */
function changes({ pull_request: pull, merge_group: group, workflow_run: run, repository }, { event, commit, ref }) {
    const ofRun = { branch: branchOf(ref), eventCommit: commit };
    const incomplete = { ...ofRun, isPayloadIncomplete: true };
    if (event.startsWith('pull_request')) {
        if (!pull)
            return incomplete;
        const { branch, headSha, baseBranch, baseCommit } = pull;
        return { branch, eventCommit: headSha, baseBranch, baseCommit, pullRequest: pull };
    }
    if (event === 'merge_group') {
        if (!group)
            return incomplete;
        const { head_ref: branch, base_ref: base, base_sha: baseCommit } = group;
        return { branch: branchOf(branch), eventCommit: commit, baseBranch: branchOf(base), baseCommit };
    }
    if (event !== 'workflow_run')
        return ofRun;
    // After a run of `pull_request_target`, the commit in the payload is the default branch's, not the pull request's.
    if (!run || run.event === 'pull_request_target')
        return incomplete;
    // Under `workflow_run`, `commit` is a commit of the default branch, so the run checks the commit of the followed run.
    const { head_sha: eventCommit, head_repository: head } = run;
    const isFork = !head || head.id !== repository?.id;
    const name = run.head_branch ?? branchOf(ref);
    const branch = isFork ? `${head?.owner?.login ?? ''}:${name}` : name;
    const followed = { branch, eventCommit };
    if (!run.event.startsWith('pull_request'))
        return followed;
    // GitHub lists every open pull request of the head branch, even one into a fork, but no pull request from a fork. If
    // several are listed, the base stays unknown: otherwise the author could choose the base whose waivers apply.
    const pulls = run.pull_requests.filter(({ baseRepositoryId }) => baseRepositoryId === repository?.id);
    const only = pulls.length === 1 ? pulls[0] : undefined;
    return {
        ...followed,
        baseBranch: only?.baseBranch,
        baseCommit: only?.baseCommit ?? commit,
        pullRequest: only ?? { isFork },
    };
}
function branchOf(ref) {
    return ref.replace(/^refs\/heads\//, '');
}
/** `owner/name/a.yml@refs/heads/main` becomes `a.yml`, or `owner/name/a.yml` if the run is in another repository. */
function workflowPath(ref, repository) {
    const [, home = '', file = ''] = /^([^/]+\/[^/]+)\/(.+?\.ya?ml)@/.exec(ref) ?? [];
    if (file === '')
        return undefined;
    return home.toLowerCase() === repository.toLowerCase() ? file : `${home}/${file}`;
}

;// CONCATENATED MODULE: ./lib/src/media/media-types.js
const OFFICE_OPEN_XML = 'application/vnd.openxmlformats-officedocument';
/**
 * The types that an extension can stand for. A file with any other extension has the type that its bytes show. The
 * order matters only in `typeOfBytes`, which may take the first type of a family and category.
 */
const TYPES = [
    ['iso', 'video', 'video/mp4', 'mp4 f4v mp4v'],
    ['iso', 'video', 'video/x-m4v', 'm4v'],
    ['iso', 'video', 'video/3gpp', '3gp'],
    ['iso', 'video', 'video/3gpp2', '3g2'],
    ['iso', 'audio', 'audio/mp4', 'm4a m4b m4p f4a f4b'],
    ['iso', 'video', 'video/quicktime', 'mov qt'],
    ['matroska', 'video', 'video/webm', 'webm'],
    ['matroska', 'video', 'video/x-matroska', 'mkv mk3d'],
    ['asf', 'video', 'video/x-ms-asf', 'asf'],
    ['asf', 'video', 'video/x-ms-wmv', 'wmv'],
    ['asf', 'audio', 'audio/x-ms-wma', 'wma'],
    ['ogg', 'video', 'video/ogg', 'ogv ogm'],
    ['ogg', 'audio', 'audio/ogg', 'ogg oga opus spx'],
    ['avi', 'video', 'video/x-msvideo', 'avi'],
    ['flv', 'video', 'video/x-flv', 'flv'],
    ['mpeg', 'video', 'video/mpeg', 'mpg mpeg mpe m1v m2v m2p vob'],
    ['mpeg', 'video', 'video/mp2t', 'ts mts m2ts m2t'],
    ['mxf', 'video', 'application/mxf', 'mxf'],
    ['mp3', 'audio', 'audio/mpeg', 'mp3 mp2 mp1 mpga'],
    ['aac', 'audio', 'audio/aac', 'aac'],
    ['wav', 'audio', 'audio/wav', 'wav wave'],
    ['flac', 'audio', 'audio/flac', 'flac'],
    ['aiff', 'audio', 'audio/aiff', 'aif aiff aifc'],
    ['jpeg', 'image', 'image/jpeg', 'jpg jpeg jpe jfif'],
    ['png', 'image', 'image/png', 'png'],
    ['png', 'image', 'image/apng', 'apng'],
    ['gif', 'image', 'image/gif', 'gif'],
    ['webp', 'image', 'image/webp', 'webp'],
    ['heif', 'image', 'image/heic', 'heic hif'],
    ['heif', 'image', 'image/heif', 'heif'],
    ['heif', 'image', 'image/avif', 'avif'],
    // Raw files of cameras are TIFF files, and detection takes one for the other.
    ['tiff', 'image', 'image/tiff', 'tif tiff arw cr2 dng nef'],
    ['bmp', 'image', 'image/bmp', 'bmp dib'],
    ['svg', 'image', 'image/svg+xml', 'svg'],
    ['psd', 'image', 'image/vnd.adobe.photoshop', 'psd'],
    ['pdf', 'document', 'application/pdf', 'pdf'],
    ['rtf', 'document', 'application/rtf', 'rtf'],
    ['ps', 'document', 'application/postscript', 'ps eps'],
    ['cfb', 'document', 'application/msword', 'doc dot'],
    ['cfb', 'document', 'application/vnd.ms-excel', 'xls xlt'],
    ['cfb', 'document', 'application/vnd.ms-powerpoint', 'ppt pot pps'],
    ['zip/epub', 'document', 'application/epub+zip', 'epub'],
    ['zip/wordprocessingml', 'document', `${OFFICE_OPEN_XML}.wordprocessingml.document`, 'docx'],
    ['zip/spreadsheetml', 'document', `${OFFICE_OPEN_XML}.spreadsheetml.sheet`, 'xlsx'],
    ['zip/presentationml', 'document', `${OFFICE_OPEN_XML}.presentationml.presentation`, 'pptx'],
    ['zip/opendocument.text', 'document', 'application/vnd.oasis.opendocument.text', 'odt'],
    ['zip/opendocument.spreadsheet', 'document', 'application/vnd.oasis.opendocument.spreadsheet', 'ods'],
    ['zip/opendocument.presentation', 'document', 'application/vnd.oasis.opendocument.presentation', 'odp'],
    ['zip/opendocument.graphics', 'document', 'application/vnd.oasis.opendocument.graphics', 'odg'],
    ['text', 'document', 'text/plain', 'txt text log'],
    ['text', 'document', 'text/csv', 'csv'],
    ['text', 'document', 'text/markdown', 'md markdown'],
    ['text', 'document', 'text/html', 'html htm'],
    ['text', 'document', 'application/xml', 'xml'],
    ['text', 'document', 'application/json', 'json'],
    ['text', 'document', 'text/vtt', 'vtt'],
    ['text', 'document', 'application/x-subrip', 'srt'],
];
/** The application of an Office document: its templates and slide shows are of the same family. */
const OFFICE = /wordprocessingml|spreadsheetml|presentationml|opendocument\.[a-z]+/;
const BY_EXTENSION = new Map(TYPES.flatMap(([family, category, mime, extensions]) => extensions.split(' ').map((extension) => [extension, { family, category, mime, extension }])));
/** The type that the extension stands for. Undefined if the extension is not in our table. */
function typeOfName(path) {
    return BY_EXTENSION.get(extensionOf(path));
}
/** The extension in lower case, without the dot. Empty if the name has no dot. For the name `.png` it is `png`. */
function extensionOf(path) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const dot = name.lastIndexOf('.');
    return dot === -1 ? '' : name.slice(dot + 1).toLowerCase();
}
/** The type for the extension and MIME type that detection returned. */
function typeOfBytes(extension, mime) {
    const [top] = mime.split('/');
    const category = top === 'video' || top === 'audio' || top === 'image' ? top : undefined;
    const known = BY_EXTENSION.get(extension);
    const application = OFFICE.exec(mime)?.[0];
    if (!known)
        return { extension, mime, category, family: application ? `zip/${application}` : extension };
    if (category === known.category)
        return known;
    // Detection returns one extension for both audio and video in the ASF format, so the MIME type decides.
    return [...BY_EXTENSION.values()].find((each) => each.family === known.family && each.category === category) ?? known;
}
/** `.ts` and `.mts` are left out because they are usually TypeScript; `.txt`, `.md` and `.html` are seldom media. */
const DEFAULT_EXTENSIONS = new Set([
    'mp4 m4v mov webm mkv avi wmv flv mpg mpeg m2ts 3gp ogv',
    'mp3 m4a aac wav flac ogg oga opus wma aif aiff',
    'jpg jpeg png apng gif webp avif heic heif tif tiff bmp svg psd',
    'pdf doc docx ppt pptx xls xlsx odt odp ods rtf epub',
].flatMap((extensions) => extensions.split(' ')));
const DEFAULT_PATTERNS = [...DEFAULT_EXTENSIONS].map((extension) => `**/*.${extension}`);
function hasDefaultExtension(path) {
    return DEFAULT_EXTENSIONS.has(extensionOf(path));
}
/**
 * Media that are not checked by default. Extensions with another common meaning, such as `.ts`, `.key` and `.raw`, are
 * left out.
 */
const OTHER_MEDIA = new Set([
    '3g2 3gpp asf av1 divx dv f4v h264 h265 hevc m1v m2t m2v m4s mj2 mjpeg mk3d mp4v mpe mxf ogm qt rm rmvb swf vob y4m',
    'ac3 aifc amr ape au caf dsf eac3 ec3 f4a f4b m4b m4p m4r mid midi mka mp1 mp2 mpc mpga ra spx wave weba wv',
    'ai arw avifs bpg cdr cr2 cr3 crw dib djvu dng dwg dxf emf eps exr hdr heics heifs hif icns ico idml indd indt j2k jfif',
    'jp2 jpe jpf jpx jxl jxr ktx mng nef nrw orf pam pbm pcx pgm pict pnm ppm psb qoi raf rw2 sgi sketch svgz tga vsd vsdx',
    'pjp pjpeg wbmp wmf xcf afdesign afphoto afpub',
    'azw azw3 docm dotm dotx mobi numbers odg otp ots ott oxps pages potm potx pps ppsm ppsx pptm ps xlsm xltm xltx xps',
].flatMap((extensions) => extensions.split(' ')));
/** Whether people may publish a file of this name as media. */
function isMedia(path) {
    return hasDefaultExtension(path) || OTHER_MEDIA.has(extensionOf(path));
}

;// CONCATENATED MODULE: ./lib/src/media/patterns.js

/** A line must have fewer alternatives. If some were ignored instead, files would stay unchecked. */
const MAX_ALTERNATIVES = 1_000;
const MAX_LENGTH = 1_000;
/** Why a line of the input `files` is no pattern, as a clause: "which is too long". Undefined if it is one. */
function whyInvalid(line) {
    const pattern = withoutMark(line);
    if (pattern === '')
        return 'which has nothing after the `!`';
    if (pattern.length > MAX_LENGTH)
        return 'which is too long';
    const globs = alternativesOf(pattern);
    if (globs.length > MAX_ALTERNATIVES)
        return `whose braces stand for more than ${MAX_ALTERNATIVES} patterns`;
    if (globs.some((glob) => glob.startsWith('/')))
        return 'which is not relative to the folder that is searched';
    const isOutside = globs.some((glob) => glob.split('/').includes('..'));
    return isOutside ? 'which holds `..`: only files in the workspace can be sent' : undefined;
}
function isExclusion(line) {
    return line.startsWith('!');
}
function withoutMark(line) {
    return line.replace(/^!\s*/, '');
}
/** Whether a waiver's path matches a file, like a `!` line. */
function waiverMatcher(path) {
    const patterns = new FilePatterns([`!${path}`]);
    return (file) => patterns.decide(file) === 'excluded';
}
/** The pattern and all that its braces stand for: `{a,b}` is `a`, `b`, and a file whose name has these braces. */
function alternativesOf(pattern) {
    const found = new Set([pattern, pattern.replaceAll('\\', '/')]);
    for (const each of found) {
        const [, before = '', inside, after = ''] = /^(.*)\{([^{}]*,[^{}]*)\}(.*)$/s.exec(each) ?? [];
        for (const part of inside?.split(',') ?? [])
            found.add(before + part + after);
        if (found.size > MAX_ALTERNATIVES)
            break;
    }
    return [...found];
}
/** What ends like this is the name of a file. A folder such as `.next` begins with its dot. */
const FILE_NAME = /.\.[\p{L}\p{N}]+$/u;
const GIT = '.GIT';
const NODE_MODULES = 'NODE_MODULES';
function compile(line) {
    return alternativesOf(withoutMark(line)).map((text) => {
        // `media/` is `media/**`.
        const names = fold(text)
            .replace(/\/$/, '/**')
            .split('/')
            .filter((name) => name !== '' && name !== '.');
        const last = names.at(-1) ?? '**';
        const name = partOf(last);
        const folders = names.slice(0, -1).map(partOf);
        return {
            line,
            name,
            folders,
            prefix: folders.slice(0, folders.indexOf('**') + 1 || undefined),
            // Otherwise a folder `x.svg` could hide any file behind the line `!**/*.svg`.
            covered: isExclusion(line) && isFileName(last) ? undefined : [...folders, name, '**'],
            isNaming: !/[*?]/.test(last) || isFileName(last),
        };
    });
}
function isFileName(name) {
    return FILE_NAME.test(name);
}
/** Case and Unicode form never matter: a path and a pattern may have the same letters in different forms. */
function fold(text) {
    return text.normalize('NFC').toUpperCase();
}
function partOf(text) {
    if (text === '**' || !/[*?]/.test(text))
        return text;
    // Comparing the end first is much faster, and most patterns are `*.png` or the like.
    const ending = /[^*?]*$/.exec(text)?.[0] ?? '';
    const characters = Array.from(text);
    return (name) => name.endsWith(ending) && matchesAll(characters, '*', Array.from(name));
}
function matchesOne(part, item) {
    return typeof part === 'string' ? part === item || part === '?' || part === '**' : part(item);
}
/**
 * Whether a pattern matches all items: the characters of a name, or the folders of a path. `any` stands for any number
 * of items. If what follows does not fit, only the last `any` takes one item more, so that the time has a limit.
 */
function matchesAll(pattern, any, items) {
    let [at, afterAny, taken] = [0, -1, 0];
    for (let index = 0; index < items.length;) {
        const part = pattern[at];
        if (part === any)
            [at, afterAny, taken] = [at + 1, at + 1, index];
        else if (part !== undefined && matchesOne(part, items[index] ?? ''))
            [at, index] = [at + 1, index + 1];
        else if (afterAny >= 0)
            [at, taken, index] = [afterAny, taken + 1, taken + 1];
        else
            return false;
    }
    return pattern.slice(at).every((part) => part === any);
}
/** Undefined if the glob can match nothing in the folder. */
function scopeIn(folders, glob) {
    const { line, covered, prefix } = glob;
    // `.git` is never searched. `node_modules` has other people's files, so a line must name it to select files in it.
    if (folders.includes(GIT))
        return undefined;
    if (folders.includes(NODE_MODULES) && !isExclusion(line) && !/node_modules/i.test(line))
        return undefined;
    const isCovered = covered !== undefined && matchesAll(covered, '**', folders);
    const canMatchBelow = matchesAll(prefix.slice(0, folders.length), '**', folders);
    return isCovered || canMatchBelow
        ? { glob, isCovered, canMatchNames: matchesAll(glob.folders, '**', folders) }
        : undefined;
}
/** The lines of the input `files`: what they say about a file, and where a search can find files. */
class FilePatterns {
    #lines;
    /** The globs of the last line come first. Undefined until they are needed: braces can make many of them. */
    #globs;
    /** For each folder, the globs that can match something in it. */
    #folders = new Map();
    /** @param lines for which `whyInvalid` returns undefined */
    constructor(lines) {
        this.#lines = lines;
    }
    /** The include patterns that the user wrote. Empty if the default ones come first. */
    get userLines() {
        const lines = this.#lines.filter((line) => !isExclusion(line));
        return DEFAULT_PATTERNS.every((each, index) => each === lines[index]) ? [] : lines;
    }
    /**
     * The last line that selects or excludes the file decides. A line selects the files that it names, and of all else
     * that it matches those with a default extension. A file that a line matches and none selects is `left out`.
     */
    decide(path) {
        let decision = 'unmatched';
        for (const { line, isNamed } of this.#matching(path)) {
            if (isExclusion(line))
                return 'excluded';
            if (isNamed || hasDefaultExtension(path))
                return 'selected';
            decision = 'left out';
        }
        return decision;
    }
    selects = (path) => this.decide(path) === 'selected';
    /** Whether the lines can select a file directly in the folder, only further below, or none at all. */
    search(folder) {
        let found = 'nowhere';
        for (const { glob, isCovered, canMatchNames } of this.#scopesIn(fold(folder))) {
            if (isExclusion(glob.line) && !isCovered)
                continue;
            if (isExclusion(glob.line))
                return found;
            if (isCovered || canMatchNames)
                return 'here';
            found = 'below';
        }
        return found;
    }
    /** Include patterns written by the user that match none of these files. */
    idle(paths) {
        const idle = new Set(this.userLines);
        for (const path of idle.size > 0 ? paths : [])
            for (const { line } of this.#matching(path))
                idle.delete(line);
        return [...idle];
    }
    *#matching(path) {
        const folded = fold(path);
        const slash = folded.lastIndexOf('/');
        const [folder, name] = [folded.slice(0, Math.max(0, slash)), folded.slice(slash + 1)];
        if (name === GIT)
            return;
        for (const { glob, isCovered, canMatchNames } of this.#scopesIn(folder)) {
            const isMatched = canMatchNames && matchesOne(glob.name, name);
            if (isMatched || isCovered)
                yield { line: glob.line, isNamed: isMatched && glob.isNaming };
        }
    }
    #scopesIn(folder) {
        let scopes = this.#folders.get(folder);
        if (!scopes) {
            this.#globs ??= this.#lines.toReversed().flatMap(compile);
            const folders = folder.split('/').filter(Boolean);
            scopes = this.#globs.flatMap((glob) => scopeIn(folders, glob) ?? []);
            this.#folders.set(folder, scopes);
        }
        return scopes;
    }
}
/** A `!` line that excludes whatever is at this path, be it a file or a folder. */
function exclusionOf(file) {
    return `!${literal(file)}${isFileName(file) ? '{,/**}' : ''}`;
}
/** A path as a pattern: characters with a meaning in the input `files` become `?`, which stands for any character. */
function literal(file) {
    return file.replaceAll(/[*{},\\"'`\n\r\u2028\u2029]|^[\s!#-]|\s$/g, '?');
}

;// CONCATENATED MODULE: ./lib/src/service/responses.js

// The schemas of all responses. They require only what the gate needs, and accept unknown fields and statuses. The client
// adds the ids that it has asked for.
/** An id is used in URLs and in an output that a workflow may insert into a script, so only safe characters pass. */
const Id = dist/* pipe */.FsL(dist/* string */.YjP(), dist/* regex */.yGV(/^[\w-]{1,64}$/));
const responses_count = dist/* nullish */.cl6(dist/* pipe */.FsL(dist/* number */.aig(), dist/* integer */.ndf(), dist/* minValue */.Wwf(0)));
/** A value of the wrong type is dropped, because the rest of the response is useful without it. */
const shownText = dist/* fallback */.NpB(dist/* nullish */.cl6(dist/* string */.YjP()), null);
const shownCount = dist/* fallback */.NpB(responses_count, null);
/** What an id is compared by: upper and lower case make no difference in a UUID. */
function idKey(id) {
    return id.toLowerCase();
}
/** What each status of the contract means, for submissions and assets. Any other is `unknown`: no file passes under it. */
const PHASES = new Map([
    ['uploading', 'running'],
    ['submitted', 'running'],
    ['processing', 'running'],
    ['complete', 'complete'],
    ['failed', 'failed'],
]);
/** The service's own word, for messages, and what it means. */
function statusOf(word) {
    return { word, phase: PHASES.get(word) ?? 'unknown' };
}
const StatusWord = dist/* pipe */.FsL(dist/* string */.YjP(), dist/* transform */.pdi(statusOf));
const blobPath = dist/* pipe */.FsL(dist/* string */.YjP(), dist/* minLength */.BpQ(1));
const UploadUrlResponse = dist/* object */.Ikc({ uploadUrl: dist/* pipe */.FsL(dist/* string */.YjP(), dist/* url */.OZ5()), blobPath });
const DirectUploadResponse = dist/* object */.Ikc({ blobPath, sizeBytes: dist/* number */.aig() });
/** Only the id is required: the submission can be read later for everything else. */
const CreationResponse = dist/* object */.Ikc({ submissionId: Id });
/** An asset in its submission's list. Only the asset's own response has its file name and its status. */
const ListedAsset = dist/* object */.Ikc({
    assetId: Id,
    versionGroupId: shownText,
    versionNumber: shownCount,
    issueCount: responses_count,
    errorMessage: shownText,
    errorType: shownText,
    isRetryable: dist/* fallback */.NpB(dist/* boolean */.zMY(), false),
    retryCount: dist/* fallback */.NpB(dist/* pipe */.FsL(dist/* number */.aig(), dist/* integer */.ndf()), 0),
});
/** What the list says about the failure of an asset. Empty if it says nothing. */
function failureText({ errorType, errorMessage }) {
    return (errorMessage || errorType || '').replace(/\.$/, '');
}
const SubmissionResponse = dist/* object */.Ikc({
    status: StatusWord,
    progressPercent: shownCount,
    errorMessage: shownText,
    /** Null if the service has no list yet. An asset that is listed twice makes the response unreadable. */
    assets: dist/* nullish */.cl6(dist/* pipe */.FsL(dist/* array */.YOg(ListedAsset), dist/* check */.z6Y((assets) => new Set(assets.map(({ assetId }) => idKey(assetId))).size === assets.length)), null),
});
const AssetResponse = dist/* object */.Ikc({
    filename: dist/* string */.YjP(),
    status: StatusWord,
    issueCount: responses_count,
    issues: dist/* optional */.lqM(dist/* unknown */.L5J()),
});

;// CONCATENATED MODULE: ./lib/src/service/issue.js


/** All severities, most severe first. */
const SEVERITIES = ['CRITICAL', 'MAJOR', 'MINOR', 'INFO'];
/** The statuses that the API documents, most active first. */
const ISSUE_STATUSES = ['OPEN', 'ACKNOWLEDGED', 'AWAITING_HUMAN_INPUT', 'RESOLVED', 'DISMISSED'];
/** Returns 0 for the most severe. */
function severityRank(severity) {
    return SEVERITIES.indexOf(severity);
}
/** Worst first. */
function bySeverity(a, b) {
    return severityRank(a.severity) - severityRank(b.severity);
}
/** Whether a severity reaches a threshold. With `never`, none does. */
function isAtLeast(severity, threshold) {
    return threshold !== 'never' && severityRank(severity) <= severityRank(threshold);
}
const Precedent = dist/* object */.Ikc({ url: dist/* string */.YjP(), title: dist/* string */.YjP(), decision: dist/* string */.YjP(), date: dist/* string */.YjP() });
const optionalText = dist/* fallback */.NpB(dist/* optional */.lqM(dist/* string */.YjP()), undefined);
/**
 * An issue that the service found in an asset. Only an id and a severity are required. All texts are untrusted, and
 * unknown fields are dropped, because they may be large or secret.
 */
const IssueItem = dist/* pipe */.FsL(dist/* object */.Ikc({
    id: Id,
    severity: dist/* unknown */.L5J(),
    summary: dist/* fallback */.NpB(dist/* string */.YjP(), ''),
    status: dist/* fallback */.NpB(dist/* string */.YjP(), ''),
    ruleCode: dist/* fallback */.NpB(dist/* string */.YjP(), ''),
    referenceNumber: dist/* fallback */.NpB(dist/* optional */.lqM(dist/* number */.aig()), undefined),
    sidekickId: optionalText,
    severityReasoning: optionalText,
    severityReasoningHeadline: optionalText,
    // Parsing drops every other field of a precedent: its name is not cleaned.
    precedents: dist/* pipe */.FsL(dist/* fallback */.NpB(dist/* array */.YOg(Precedent), []), dist/* readonly */.tBZ()),
}), dist/* transform */.pdi(({ severity: given, severityReasoning: reasoning, severityReasoningHeadline: headline, ...issue }) => {
    const known = SEVERITIES.find((each) => typeof given === 'string' && each === given.toUpperCase());
    const texts = { reasoning, headline };
    // An unknown severity counts as CRITICAL.
    return { ...issue, ...texts, severity: known ?? 'CRITICAL' };
}));
/** The entries of a list whose shape the contract does not show: an array, or an object that holds one. */
function entriesOf(response) {
    if (typeof response !== 'object' || response === null)
        return [];
    return Array.isArray(response) ? response : Object.values(response).filter(Array.isArray).flat();
}
/** An entry that is no issue is left out: the count of the asset shows that one is missing. */
function parseIssues(response) {
    const parsed = entriesOf(response).map((entry) => dist/* safeParse */.xLC(IssueItem, entry));
    return parsed.flatMap(({ success, output }) => (success ? output : []));
}
const TopicList = dist/* object */.Ikc({ topics: dist/* unknown */.L5J() });
const Titled = dist/* object */.Ikc({ title: dist/* string */.YjP() });
/** A topic is an entry of `topics` with a title, which has ids of these issues somewhere in it. */
function parseTopics(response, issues) {
    const entries = dist.is(TopicList, response) ? entriesOf(response.topics) : [];
    return entries.flatMap((entry) => {
        const text = JSON.stringify(entry).toLowerCase();
        const issueIds = issues.map(({ id }) => id).filter((id) => text.includes(`"${id.toLowerCase()}"`));
        return dist.is(Titled, entry) && issueIds.length > 0 ? { title: entry.title, issueIds } : [];
    });
}
/** Joins two lists of one content's issues. If both contain an issue, its texts are taken from the first list. */
function joinById(first, second) {
    const joined = new Map(second.map((issue) => [idKey(issue.id), issue]));
    for (const issue of first)
        joined.set(idKey(issue.id), worseOf(issue, joined.get(idKey(issue.id))));
    return [...joined.values()];
}
/** The gate fails closed: the higher of two severities counts, and the more active of two statuses. */
function worseOf(issue, other) {
    if (!other)
        return issue;
    const { severity } = bySeverity(issue, other) <= 0 ? issue : other;
    const { status } = activity(issue) <= activity(other) ? issue : other;
    return { ...issue, severity, status };
}
/** Lowest for the most active: a status that the API does not document, then its statuses in their order. */
function activity({ status }) {
    return ISSUE_STATUSES.findIndex((known) => known === status.toUpperCase());
}

;// CONCATENATED MODULE: ./lib/src/inputs/reader.js


/** Inputs whose value must never be shown. */
const SECRET_INPUTS = ['api-key', 'state-key', 'github-token'];
/** Reads inputs by name. A rejected input has its default. A rejected list keeps its values, which no run uses. */
class InputReader {
    problems = [];
    rejected = new Set();
    #valueOf;
    constructor(valueOf) {
        this.#valueOf = valueOf;
    }
    /** An empty value means the default, so that an unset repository variable can be passed on. */
    text(name, otherwise = '') {
        return this.#valueOf(name).trim() || otherwise;
    }
    /**
     * @param got the value of the input in quotes, or a description of it
     * @param takes what the input allows
     */
    reject(name, got, takes) {
        this.rejected.add(name);
        const message = `Input \`${name}\` is ${got}.`;
        const correct = SECRET_INPUTS.includes(name)
            ? 'Correct the secret, and re-run this job.'
            : 'Correct it in the workflow, commit and push.';
        const fix = `\`${name}\` takes ${takes}. ${correct}`;
        this.problems.push(forOwner('bad-input', message, fix));
    }
    /** An optional text that `isAllowed` checks. Undefined if it is not set or is rejected. */
    optional(name, isAllowed, takes) {
        const value = this.text(name);
        if (value === '' || isAllowed(value))
            return value || undefined;
        const isSecret = SECRET_INPUTS.includes(name);
        this.reject(name, isSecret ? `${value.length} characters long (not shown)` : quoted(value), takes);
        return undefined;
    }
    /** Ignores upper and lower case. The first value is the default. */
    oneOf(name, values) {
        const value = this.text(name, values[0]);
        const match = values.find((each) => each.toLowerCase() === value.toLowerCase());
        if (match === undefined)
            this.reject(name, quoted(value), formatChoices(values));
        return match ?? values[0];
    }
    flag(name, otherwise = 'false') {
        return this.oneOf(name, [otherwise, otherwise === 'true' ? 'false' : 'true']) === 'true';
    }
    integer(name, otherwise, min, max) {
        const value = this.text(name);
        if (value === '')
            return otherwise;
        const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
        if (number >= min && number <= max)
            return number;
        this.reject(name, quoted(value), `a whole number from ${min} to ${max}`);
        return otherwise;
    }
    /** A list separated by commas or newlines, in upper case and without duplicates. */
    list(name, otherwise, isAllowed, takes) {
        const items = this.text(name, otherwise).split(/[,\n]/);
        const values = [...new Set(items.map((item) => item.trim().toUpperCase()))].filter(Boolean);
        const wrong = values.filter((item) => !isAllowed(item));
        if (wrong.length > 0)
            this.reject(name, quoted(wrong.join(', ')), takes);
        return values;
    }
}
/** The value of an input, as a message shows it. The API key may be in the wrong input. */
function quoted(value) {
    return /sk_(?:live|test)_/.test(value) ? 'an API key (not shown)' : JSON.stringify(truncate(value, 100));
}
function formatChoices(values, word = 'or') {
    const names = values.map((value) => `\`${value}\``);
    return `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)}`;
}

;// CONCATENATED MODULE: ./lib/src/inputs/parse.js










/** Allows only characters that are safe in the name of an artifact, in a SARIF category and in an HTML comment. */
const GATE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const DEFAULT_NAME = 'media-compliance';
const LIVE_KEY = /^sk_live_[0-9a-fA-F]{64}$/;
/** The contract does not define what follows the prefix, so every character that a header can carry is allowed. */
const SANDBOX_KEY = /^sk_test_[\x21-\x7e]+$/;
/**
 * Reads and checks every input. All problems are reported together: one for each rejected input.
 *
 * @param valueOf returns the raw value of an input, or an empty text if the input is not set
 * @param workspace GITHUB_WORKSPACE, the folder that contains `working-directory`
 */
function readInputs(valueOf, workspace) {
    const reader = new InputReader(valueOf);
    const inputs = parseInputs(reader, workspace);
    const { problems, rejected } = reader;
    if (problems.length === 0)
        return { inputs, problems };
    // If an input is rejected, nothing is sent to the service and no artifact is uploaded. The comment is still written,
    // because an older one would be out of date. With another name, it would be the comment of another gate.
    const comment = rejected.has('name') ? 'never' : inputs.comment;
    return { inputs: { ...inputs, service: undefined, comment, reportArtifact: false }, problems };
}
function parseInputs(reader, workspace) {
    const dryRun = reader.flag('dry-run');
    const canRunWithoutKey = reader.oneOf('if-no-api-key', ['error', 'skip']) === 'skip' || dryRun;
    const searchRoot = parseWorkingDirectory(reader, workspace);
    return {
        /** Undefined if the API key or the address of the service is missing, or any input is rejected. */
        service: parseService(reader, canRunWithoutKey),
        files: parseFiles(reader, searchRoot),
        stateKey: reader.optional('state-key', (key) => key.length >= 16, 'a secret of at least 16 characters'),
        policy: {
            failOnSeverity: reader.oneOf('fail-on-severity', [...SEVERITIES, 'never']),
            failOnIssues: reader.oneOf('fail-on-issues', ['all', 'new']),
            ignoreStatuses: reader.list('ignore-statuses', 'RESOLVED, DISMISSED', (text) => ISSUE_STATUSES.some((each) => each === text), `any of ${formatChoices(ISSUE_STATUSES, 'and')}`),
            onServiceError: reader.oneOf('on-service-error', ['error', 'warn']),
        },
        comment: reader.oneOf('comment', ['never', 'on-failure', 'always']),
        onlyChanged: reader.flag('only-changed'),
        waiversFile: parseWaiversFile(reader),
        contact: reader.optional('contact', (text) => /^.{1,200}$/.test(text), 'one line of text or an https address, at most 200 characters'),
        issueUrl: reader.optional('issue-url', isIssueUrl, `an https address with any of ${formatChoices(PLACEHOLDERS, 'and')} in it`),
        /** Absolute path of the folder that patterns, the waivers file and all shown paths are relative to. */
        searchRoot,
        ifNoFilesFound: reader.oneOf('if-no-files-found', ['warn', 'error', 'ignore']),
        dryRun,
        maxFiles: reader.integer('max-files', 500, 1, 100_000),
        name: reader.optional('name', (name) => GATE_NAME.test(name), 'up to 64 letters, digits, `.`, `-` and `_`, beginning with a letter or digit') ?? DEFAULT_NAME,
        reuseDays: reader.integer('reuse-days', 90, 0, 3650),
        /** If undefined, the field is not sent: an empty list would mean that no sidekick runs. */
        sidekickIds: parseSidekickIds(reader),
        metadata: parseMetadata(reader),
        waitTimeoutMinutes: reader.integer('wait-timeout-minutes', 30, 1, 4320),
        reportArtifact: reader.flag('report-artifact', 'true'),
        stateFile: reader.text('state-file') || undefined,
        githubToken: reader.text('github-token'),
        ...parseSandbox(reader),
        /** The values of the job's matrix as JSON. Empty for a job without a matrix, where `toJSON(matrix)` is `null`. */
        matrix: reader.text('matrix').replace(/^null$/, ''),
    };
}
/** There may be several reasons, and the run cannot tell them apart: GitHub passes an empty value for all of them. */
const MISSING_KEY = forOwner('no-key', 'There is no API key: the input `api-key` is empty.', 'Create the secret `COMPLIANCE_API_KEY` (Settings → Secrets and variables → Actions) and pass it as `api-key: ${{ secrets.COMPLIANCE_API_KEY }}`: a misspelt name gives an empty value. GitHub gives no secrets to pull requests from forks, and to Dependabot only its own. With `if-no-api-key: skip`, these pass unchecked.');
/** The key alone decides between live and sandbox mode. No message shows the key. */
function parseService(reader, canRunWithoutKey) {
    const apiKey = reader.text('api-key');
    if (apiKey === '' && canRunWithoutKey)
        return undefined;
    const mode = LIVE_KEY.test(apiKey) ? 'live' : SANDBOX_KEY.test(apiKey) ? 'sandbox' : undefined;
    if (apiKey === '')
        reader.problems.push(MISSING_KEY);
    else if (!mode)
        reader.reject('api-key', `not a whole key of the service (${apiKey.length} characters, not shown)`, KEYS);
    const baseUrl = parseBaseUrl(reader);
    return mode && baseUrl ? { apiKey, mode, baseUrl } : undefined;
}
const KEYS = 'the whole key without quotation marks: `sk_live_` and 64 hexadecimal characters, 72 in all, or a key that begins with `sk_test_`';
/** @returns the address that the path of every endpoint is appended to */
function parseBaseUrl(reader) {
    const value = reader.text('base-url');
    const url = URL.parse(value);
    const isAllowed = url && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname)));
    // An address with these may contain a password, and must not be shown.
    const isSecret = /[@?#]/.test(value);
    if (isAllowed && !isSecret) {
        const pathname = url.pathname.replace(/\/+$/, '');
        return url.origin + (/\/api\/(v\d+\/)?integrations$/.test(pathname) ? pathname : `${pathname}/api/integrations`);
    }
    const shown = value === '' ? 'not set' : `${quoted(value)}, which is not an https address`;
    const got = isSecret ? 'an address with a user name, a password, a query or a fragment (not shown)' : shown;
    reader.reject('base-url', got, "the service's address, such as `https://compliance.example.com`");
    return undefined;
}
function parseFiles(reader, searchRoot) {
    const lines = reader
        .text('files')
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '' && !line.startsWith('#'));
    const isPath = (line) => (0,external_node_fs_.lstatSync)(external_node_path_.join(searchRoot, line.replace(/^!/, '')), { throwIfNoEntry: false }) !== undefined;
    const takes = 'one pattern in each line, without list mark, quotation marks, or comma with a space';
    for (const line of lines.filter((each) => LOOKS_LIKE_LIST.test(each) && !isPath(each)))
        reader.reject('files', quoted(line), takes);
    // If no line includes anything, the default patterns come first: `userLines` of the patterns relies on this order.
    const all = lines.every((line) => line.startsWith('!')) ? [...DEFAULT_PATTERNS, ...lines] : lines;
    for (const line of all) {
        const problem = whyInvalid(line);
        if (problem !== undefined)
            reader.reject('files', `${quoted(line)}, ${problem}`, 'relative patterns, such as `media/**/*.mp4`');
    }
    // Rejected lines stay in: the run ends before it uses the patterns.
    return new FilePatterns(all);
}
/** A line that is written like a list: with a list mark, in quotation marks, or with a comma and a space. */
const LOOKS_LIKE_LIST = /^-\s|^!?(["'`]).*\1$|,\s/;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
function parseSidekickIds(reader) {
    const takes = 'UUIDs, separated by commas or newlines, or nothing at all';
    const ids = reader.list('sidekick-ids', '', (id) => UUID.test(id), takes);
    if (ids.length > 0)
        return ids.map((id) => id.toLowerCase());
    // An empty list is refused: no sidekick would run, and every file would pass.
    if (reader.text('sidekick-ids') !== '')
        reader.reject('sidekick-ids', 'a list without items', takes);
    return undefined;
}
function parseMetadata(reader) {
    const value = reader.text('metadata');
    if (value === 'none')
        return 'none';
    if (value === '')
        return {};
    const parsed = parseJson(value);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
        return { ...parsed };
    const takes = 'a JSON object such as `{"team": "legal"}`, or `none` to send no metadata at all';
    reader.reject('metadata', `${quoted(value)}, which is not a JSON object`, takes);
    return {};
}
/** What the input `issue-url` may contain in braces. */
const PLACEHOLDERS = ['{referenceNumber}', '{issueId}', '{assetId}', '{submissionId}'];
function isIssueUrl(value) {
    const isKnown = (value.match(/\{[^}]*\}/g) ?? []).every((placeholder) => PLACEHOLDERS.includes(placeholder));
    return isKnown && URL.parse(value.replaceAll(/\{[^}]*\}/g, 'x'))?.protocol === 'https:';
}
/** Returns the absolute path of the folder, or the workspace if the input is not set or is rejected. */
function parseWorkingDirectory(reader, workspace) {
    const value = reader.text('working-directory');
    const folder = external_node_path_.resolve(workspace, value);
    if (value === '' || isFolderWithoutLinks(workspace, folder))
        return folder;
    const got = `${quoted(value)}, which is not a folder inside the workspace, or is reached through a link`;
    reader.reject('working-directory', got, 'such a folder, usually the `path` of `actions/checkout`');
    return workspace;
}
/** With a link on the way, a pull request could choose another folder, whose waivers would count. */
function isFolderWithoutLinks(workspace, folder) {
    try {
        const inside = relativeTo((0,external_node_fs_.realpathSync)(workspace), (0,external_node_fs_.realpathSync)(folder));
        return inside !== undefined && inside === relativeTo(workspace, folder) && (0,external_node_fs_.lstatSync)(folder).isDirectory();
    }
    catch {
        return false;
    }
}
function parseWaiversFile(reader) {
    const takes = 'a path relative to `working-directory`, without `..`';
    const value = reader.optional('waivers-file', (text) => !OUTSIDE.test(text), takes);
    return value && external_node_path_.posix.normalize(value.replaceAll('\\', '/'));
}
/** An absolute path, or one with `..`: behind a link, `..` leads to one file on the disk and another at GitHub. */
const OUTSIDE = /^[/\\]|^[A-Za-z]:|(^|[/\\])\.\.([/\\]|$)/;
function parseSandbox(reader) {
    const names = ['simulation-delay-seconds', 'sandbox-event', 'sandbox-error-message'];
    const [delay, event, message] = names;
    if (reader.text('api-key').startsWith('sk_live_'))
        for (const name of names.filter((each) => reader.text(each) !== ''))
            reader.reject(name, 'set with a live key', 'a value only with a sandbox key (`sk_test_…`)');
    else if (reader.text(message) !== '' && reader.text(event) !== 'asset.processing.failed')
        reader.reject(message, 'set without its event', 'a text only beside `sandbox-event: asset.processing.failed`');
    return {
        simulationDelaySeconds: reader.integer(delay, undefined, 0, 30),
        sandboxEvent: reader.text(event) === ''
            ? undefined
            : reader.oneOf(event, ['asset.processing.completed', 'asset.processing.failed']),
        sandboxErrorMessage: reader.text(message) || undefined,
    };
}

;// CONCATENATED MODULE: ./lib/src/service/endpoints.js
const BASE = { method: 'POST', isRepeatable: true, isCutByDeadline: true, timeoutMs: 60_000 };
const READ = { ...BASE, method: 'GET', bucket: 'submission_read' };
/** An upload can be repeated without harm, because the name of the upload is derived from the content. */
const UPLOAD = { ...BASE, bucket: 'upload', isCutByDeadline: false };
const WRITE = { ...BASE, bucket: 'submission_write' };
/**
 * If the client gives up a creation too early, the submission may be billed without a result. After a 500 or 502, `submit`
 * repeats a creation itself, at most once in a run.
 */
const CREATE = { ...WRITE, isRepeatable: false, isCutByDeadline: false, timeoutMs: 240_000 };
const FIRE = { ...BASE, bucket: 'sandbox', isRepeatable: false };
// biome-ignore format: a table
const ENDPOINTS = {
    uploadUrl: { operation: 'asking for an upload address', path: '/uploads/url', ...UPLOAD },
    uploadDirect: { operation: 'uploading', path: '/uploads/direct', ...UPLOAD },
    create: { operation: 'creating the submission', path: '/submissions', ...CREATE },
    readSubmission: { operation: 'reading the submission', path: '/submissions/{}', ...READ },
    readAsset: { operation: 'reading an asset', path: '/submissions/{}/assets/{}', ...READ },
    readIssues: { operation: 'reading the issues', path: '/submissions/{}/assets/{}/issues', ...READ },
    readTopics: { operation: 'reading the topics', path: '/submissions/{}/assets/{}/topics', ...READ },
    readVersions: { operation: 'reading the versions', path: '/submissions/{}/versions', ...READ },
    retryAsset: { operation: 'retrying an asset', path: '/submissions/{}/assets/{}/retry', ...WRITE },
    fire: { operation: 'firing the sandbox event', path: '/sandbox/events/fire', ...FIRE },
};
/** The storage is not part of the service, which gives the address for each upload. */
const STORAGE = { operation: 'storing the file', path: '', ...UPLOAD, method: 'PUT' };

;// CONCATENATED MODULE: ./lib/package.json
const package_namespaceObject = {"rE":"0.1.0"};
;// CONCATENATED MODULE: ./lib/src/service/service-error.js



/** How much of a message of the service is shown. */
const MAX_SHOWN_LENGTH = 300;
const REFUSAL = { stops: 'nothing', mayHaveArrived: false };
const OUTAGE = { stops: 'reading', mayHaveArrived: true };
/**
 * The consequences of each class of failure, whatever was asked for.
 *
 * - `stops`: which other requests would fail as well: all requests of the run, others for some time, or no request
 * - `mayHaveArrived`: the service may have carried out the request
 */
// biome-ignore format: a table
const FAILURES = {
    'rate limit': { ...REFUSAL, stops: 'reading' },
    // A gateway may respond with a server error although the service has carried out the request.
    'server error': OUTAGE,
    'unavailable': OUTAGE,
    'lost': OUTAGE,
    'no connection': { ...OUTAGE, mayHaveArrived: false },
    'wrong JSON': { ...REFUSAL, mayHaveArrived: true },
    'unknown host': { ...REFUSAL, stops: 'run' },
    'no access': { ...REFUSAL, stops: 'run' },
    'wrong key': { ...REFUSAL, stops: 'run' },
    'wrong plan': { ...REFUSAL, stops: 'run' },
    'redirect': REFUSAL,
    'page': REFUSAL,
    'forbidden': REFUSAL,
    'missing': REFUSAL,
    'too large': REFUSAL,
    'wrong type': REFUSAL,
    'invalid': REFUSAL,
    'refused': REFUSAL,
};
// biome-ignore format: a table
const CLASS_OF_STATUS = new Map([
    [401, 'wrong key'], [402, 'wrong plan'], [403, 'forbidden'], [404, 'missing'], [408, 'unavailable'],
    [413, 'too large'], [415, 'wrong type'], [422, 'invalid'], [429, 'rate limit'],
    [500, 'server error'], [502, 'server error'],
]);
function classOf(failure, endpoint) {
    if (failure instanceof ConnectionError)
        return failure.kind;
    const { status, isPage } = failure;
    // The service may have carried out the request of a 2xx, so only in response to a read a page is an outage.
    if (isSuccess(failure))
        return isPage && endpoint.method === 'GET' ? 'unavailable' : 'wrong JSON';
    if (status < 400)
        return 'redirect';
    const failureClass = CLASS_OF_STATUS.get(status) ?? (status < 500 ? 'refused' : 'unavailable');
    if (!isPage || FAILURES[failureClass].stops !== 'nothing')
        return failureClass;
    // A gateway that restarts may respond with 404, and the page of a firewall says nothing about a submission.
    if (endpoint.method === 'GET')
        return 'unavailable';
    // A gateway may limit the size of a request: a presigned address avoids it.
    return failureClass === 'too large' && endpoint === ENDPOINTS.uploadDirect ? 'too large' : 'page';
}
/** A request to the service or its storage failed. */
class ServiceError extends Error {
    name = 'ServiceError';
    endpoint;
    failure;
    failureClass;
    /** True if the service cannot be reached or does not work, or another server responds instead of the service. */
    isOutage;
    mayHaveArrived;
    /** True if the key, the plan, the host name, a certificate or a proxy makes every other request fail as well. */
    endsRun;
    /** True if other reads would fail as well for some time. */
    stopsReading;
    /** False for a 404 and for JSON out of contract, which leave a fact missing. Any other failure leaves it unread. */
    preventsReading;
    /** The storage's host. Empty for a request to the service. */
    storage;
    constructor(endpoint, failure, storage = '') {
        const failureClass = classOf(failure, endpoint);
        const { stops, mayHaveArrived } = FAILURES[failureClass];
        const isOutage = stops === 'reading' && failureClass !== 'rate limit';
        const service = failureClass === 'page' ? 'A gateway' : 'The compliance service';
        const who = storage === '' ? service : `The storage ${storage}`;
        super(`${who} ${describeFailure(failure, endpoint.operation, mayHaveArrived)}`);
        this.endpoint = endpoint;
        this.failure = failure;
        this.failureClass = failureClass;
        this.storage = storage;
        this.isOutage = isOutage;
        this.mayHaveArrived = mayHaveArrived;
        this.endsRun = stops === 'run';
        this.stopsReading = stops !== 'nothing';
        this.preventsReading = failureClass !== 'missing' && failureClass !== 'wrong JSON';
    }
    /** Whether another try may succeed. A request that may do harm is not repeated if it may have arrived. */
    get canBeRepeated() {
        const isHarmless = this.endpoint.isRepeatable || !this.mayHaveArrived;
        return isHarmless && FAILURES[this.failureClass].stops === 'reading';
    }
    /** How long the service asks to wait, at least a second. Undefined without a valid `Retry-After` header. */
    get retryAfterMs() {
        const seconds = 'retryAfter' in this.failure ? Number.parseFloat(this.failure.retryAfter ?? '') : Number.NaN;
        return Number.isNaN(seconds) ? undefined : Math.max(1, seconds) * 1000;
    }
}
function describeFailure(failure, operation, mayHaveArrived) {
    const message = truncate(failure.message, MAX_SHOWN_LENGTH);
    if (failure instanceof ConnectionError)
        return `${mayHaveArrived ? 'did not respond' : 'could not be reached'} while ${operation}: ${message}`;
    const { status } = failure;
    if (message === WEB_PAGE)
        return `responded with a web page (${status}) while ${operation}`;
    if (isSuccess(failure))
        return `gave a response while ${operation} that could not be read: ${message}`;
    return `responded with ${status} while ${operation}${message && `: ${message}`}`;
}
/** Returns the response or the error. Throws an error with which every other request would fail as well. */
async function orError(response) {
    try {
        return await response;
    }
    catch (error) {
        if (error instanceof ServiceError && !error.endsRun)
            return error;
        throw error;
    }
}

;// CONCATENATED MODULE: ./lib/src/service/tries.js


/** A request is given up after this time, pauses included, without a response that can be used. */
const GIVE_UP_MS = 120_000;
/** But if the first try was long, because it was transferring data, there is still time to begin another one. */
const BEGIN_AGAIN_MS = 60_000;
/** Every try gets at least this time, because a shorter try would only time out. */
const MIN_TRY_MS = 5_000;
/** Repeats a request until it succeeds. Throws the last `ServiceError` if no other try may succeed, or no time is left. */
async function withTries(options) {
    const { deadline, ready, attempt, log } = options;
    const { isRepeatable, timeoutMs, isCutByDeadline } = options.endpoint;
    let giveUpAt = Number.POSITIVE_INFINITY;
    for (let tries = 1;; tries += 1) {
        await ready?.();
        const startedAt = performance.now();
        const until = isCutByDeadline ? Math.min(giveUpAt, deadline.until) : giveUpAt;
        // What cannot be repeated has its whole time, so that it is not given up while the service carries it out.
        const limitMs = isRepeatable ? Math.min(timeoutMs, until - startedAt) : timeoutMs;
        try {
            return await attempt(Math.max(MIN_TRY_MS, limitMs));
        }
        catch (error) {
            if (!(error instanceof ServiceError))
                throw error;
            const now = performance.now();
            const isLimited = error.failureClass === 'rate limit';
            const limit = Math.max(startedAt + GIVE_UP_MS, now + BEGIN_AGAIN_MS);
            giveUpAt = isLimited ? Number.POSITIVE_INFINITY : Math.min(giveUpAt, limit);
            const delayMs = (isLimited ? error.retryAfterMs : undefined) ?? backoff(tries);
            const isGivenUp = now + delayMs + MIN_TRY_MS > giveUpAt;
            const isTooLate = (isLimited || isCutByDeadline) && now + delayMs > deadline.until;
            if (!error.canBeRepeated || isGivenUp || isTooLate)
                throw error;
            deadline.signal.throwIfAborted();
            log(`${error.message}; trying again in ${Math.ceil(delayMs / 1000)} s`);
            await sleep(delayMs, deadline.signal);
        }
    }
}

;// CONCATENATED MODULE: ./lib/src/service/requester.js







/** How long a cancelled run waits for the response to a request that costs money. The runner waits only 7.5 s. */
const CANCEL_GRACE_MS = 5_000;
/** Sends requests to the service with its key and within its rate limits, and repeats failed ones by their policy. */
class ServiceRequester {
    #options;
    /** By bucket: the newest refusal because of its rate limit, and when that ends. */
    #closed = new Map();
    /** The failure that every other request would share, because the key, the plan or the address is wrong. */
    #endedBy;
    constructor(options) {
        this.#options = options;
    }
    /** Returns the first 2xx response that matches the schema. Throws a `ServiceError` if no try got such a response. */
    async send(endpoint, schema, request) {
        const { deadline } = request;
        try {
            return await withTries({
                endpoint,
                deadline,
                ready: async () => await this.#enter(endpoint, deadline),
                attempt: async (timeoutMs) => this.#read(endpoint, schema, await this.#exchange(endpoint, request, timeoutMs)),
                log: (line) => this.#options.log.info(line),
            });
        }
        catch (error) {
            if (error instanceof ServiceError && error.endsRun)
                this.#endedBy ??= error;
            throw error;
        }
    }
    /** Waits until the bucket is open. Throws its refusal if that is after the deadline. */
    async #enter({ bucket }, { signal, until }) {
        for (;;) {
            if (this.#endedBy)
                throw this.#endedBy;
            signal.throwIfAborted();
            const closed = this.#closed.get(bucket);
            const waitMs = (closed?.until ?? 0) - performance.now();
            if (!closed || waitMs <= 0)
                return;
            if (closed.until > until)
                throw closed.error;
            await sleep(waitMs, signal);
        }
    }
    async #exchange(endpoint, { ids = [], query = '', payload, deadline: { signal } }, timeoutMs) {
        const { access, http } = this.#options;
        const userAgent = `media-compliance-gate/${package_namespaceObject.rE}`;
        const { headers = {}, body } = payload?.() ?? {};
        try {
            return await http.send({
                method: endpoint.method,
                url: access.baseUrl + pathOf(endpoint, ids) + query,
                headers: { accept: 'application/json', 'user-agent': userAgent, 'x-api-key': access.apiKey, ...headers },
                ...(body !== undefined && { body }),
                timeoutMs,
                // After a cancel, wait a little for the response: without the id in it, a paid submission would be lost.
                signal: endpoint.isRepeatable ? signal : abortedLater(signal, CANCEL_GRACE_MS),
                freshConnection: !endpoint.isRepeatable,
            });
        }
        catch (error) {
            if (error instanceof ConnectionError)
                throw new ServiceError(endpoint, error);
            if (!signal.aborted)
                throw error;
            // Report that the request may have arrived, which is more important than that the run was stopped.
            throw new ServiceError(endpoint, new ConnectionError('the run was stopped before the response came', 'lost'));
        }
    }
    /** Returns the body if it matches the schema. Throws a `ServiceError` if it does not, or if the status is not 2xx. */
    #read(endpoint, schema, { status, retryAfter, text }) {
        const { clean } = this.#options;
        const cleanValue = (name, value) => typeof value === 'string' && !KEPT.test(name) ? clean(value) : value;
        const json = text === undefined ? undefined : parseJson(text, cleanValue);
        // The service itself may send a refusal without a body, or a 2xx that is too large. Other bodies without JSON are
        // those of a gateway, a proxy or another site.
        const isPage = json === undefined && (isSuccess({ status }) ? text !== undefined : text?.trim() !== '');
        const failed = (message) => {
            const error = new ServiceError(endpoint, { status, message, isPage, retryAfter });
            // The rate limit applies to all requests of the bucket, so it is noted even if this request is not repeated.
            if (error.failureClass === 'rate limit')
                this.#closed.set(endpoint.bucket, { error, until: performance.now() + (error.retryAfterMs ?? 0) });
            return error;
        };
        if (!isSuccess({ status }))
            throw failed(describeRefusal(clean(text ?? '')));
        const parsed = dist/* safeParse */.xLC(schema, json);
        if (!parsed.success || json === undefined)
            throw failed(describeUnreadable(parsed.issues?.[0]));
        return parsed.output;
    }
}
/** What the gate compares, or sends back to the service, stays as it is. Every other text may repeat a secret. */
const KEPT = /^(?:submissionId|assetId|id|filename|blobPath|uploadUrl)$/;
/** Encodes each id, so that an id with a `/` stays one part of the path. */
function pathOf({ path }, ids) {
    return ids.reduce((rest, id) => rest.replace('{}', () => encodeURIComponent(id.toWellFormed())), path);
}
/** The body of a 402 names the kind of request that the account's plan does not include. */
function describeRefusal(text) {
    const message = messageFromBody(text);
    const body = parseJson(text);
    return dist.is(dist/* object */.Ikc({ bucket: dist/* string */.YjP() }), body) ? `${message} (kind of request: ${body.bucket})` : message;
}
function describeUnreadable(issue) {
    const field = issue && dist/* getDotPath */.BuJ(issue);
    return field
        ? `\`${field}\` is not what was expected`
        : 'it is too large, cut off, or not the JSON that was expected';
}

;// CONCATENATED MODULE: ./lib/src/media/file.js
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







/** If a link or a pipe has replaced the file, opening neither follows the link nor blocks. Windows lacks both flags. */
const OPEN_FLAGS = external_node_fs_.constants.O_RDONLY | (external_node_fs_.constants.O_NOFOLLOW ?? 0) | (external_node_fs_.constants.O_NONBLOCK ?? 0);
/** Opens a file, and closes the file when `work` has ended. Throws a `GateError` if the file cannot be read. */
async function withFile(file, work) {
    try {
        const env_1 = { stack: [], error: void 0, hasError: false };
        try {
            const handle = __addDisposableResource(env_1, await (0,promises_.open)(file.absolutePath, OPEN_FLAGS), true);
            const stats = await handle.stat();
            if (!stats.isFile())
                throw new GateError(changedProblem(file.path));
            return await work(handle, stats);
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
    catch (error) {
        throw asReadProblem(error, file.path);
    }
}
/** Turns an error of the file system into a `GateError` about the file. Other errors stay as they are. */
function asReadProblem(error, path) {
    return isSystemError(error) ? new GateError(unreadableProblem(path, error), { cause: error }) : error;
}
function unreadableProblem(path, error) {
    // Without the path: the whole message is "EACCES: permission denied, open '/home/…'".
    const [why = ''] = messageOf(error).split(',');
    const message = `It cannot be read (${why}), so not all files can be checked.`;
    const fix = `Give ${FILE} a name in UTF-8, read access for the job's user, and run this step after every step that moves files.`;
    const exclude = `If ${FILE} needs no check, add the line \`${exclusionOf(path)}\` to the input \`files\`.`;
    return { reason: 'pre-flight', path, message, steps: [workflowOwner(fix), workflowOwner(exclude)] };
}
/** The stamp includes `ctimeMs` because, unlike `mtimeMs`, a program cannot set it back. */
function stampOf({ size, mtimeMs, ctimeMs, ino }) {
    return [size, mtimeMs, ctimeMs, ino].join();
}
function changedProblem(path) {
    const message = 'The file changed while it was being checked.';
    const fix = `Run this step after every step that writes ${FILE}.`;
    return { ...forOwner('pre-flight', message, fix), path };
}
/** A slow connection can send a piece of this size well within the time limit. Smaller pieces would be slower. */
const MAX_PIECE_BYTES = 512 * 1024;
/** undici requests a piece after it has sent the previous one, so a buffer is free long before it is used again. */
const BUFFERS = 4;
/** The bytes of a file. The body throws if the file has changed since its inspection. */
function plainBody(file) {
    const headers = { 'content-length': String(file.size), 'content-type': file.type.mime };
    return { headers, body: streamFile(file) };
}
/** The part `file` of a multipart form. The gate generated the name, so it has no character that needs escaping. */
function formBody(file, filename) {
    const boundary = `gate-${(0,external_node_crypto_.randomUUID)()}`;
    const head = Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${filename}"\r\ncontent-type: ${file.type.mime}\r\n\r\n`);
    const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
    const headers = {
        'content-length': String(head.length + file.size + tail.length),
        'content-type': `multipart/form-data; boundary=${boundary}`,
    };
    return { headers, body: streamFile(file, head, tail) };
}
/** A few buffers are used in turn: with a new one for each piece, uploads took twice as long. */
async function* streamFile(file, head, tail) {
    const { path, absolutePath, size, stamp } = file;
    const buffers = [];
    try {
        const env_2 = { stack: [], error: void 0, hasError: false };
        try {
            // Once open, the file cannot be replaced by another.
            const handle = __addDisposableResource(env_2, await (0,promises_.open)(absolutePath, OPEN_FLAGS), true);
            if (head)
                yield head;
            for (let turn = 0, position = 0; position < size; turn += 1) {
                const buffer = (buffers[turn % BUFFERS] ??= Buffer.allocUnsafeSlow(Math.min(size, MAX_PIECE_BYTES)));
                const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, size - position), position);
                position += bytesRead;
                // Checked before the last piece is sent: if the file has changed, the service must not get a complete body.
                if (bytesRead === 0 || (position === size && stampOf(await handle.stat()) !== stamp))
                    throw new GateError(changedProblem(path));
                yield buffer.subarray(0, bytesRead);
            }
            if (tail)
                yield tail;
        }
        catch (e_2) {
            env_2.error = e_2;
            env_2.hasError = true;
        }
        finally {
            const result_2 = __disposeResources(env_2);
            if (result_2)
                await result_2;
        }
    }
    catch (error) {
        throw asReadProblem(error, path);
    }
}

;// CONCATENATED MODULE: ./lib/src/service/storage.js







const STORED_CODES = ['BlobAlreadyExists', 'ConditionNotMet', 'PreconditionFailed'];
/**
 * Sends the bytes of a file to the address that the service gave. The storage is not part of the service, so it gets no
 * API key. No message may contain the query of the address, because it is signed.
 */
async function sendToStorage({ file, uploadUrl }, { http, log, access, clean }, deadline) {
    const { path } = file;
    const { protocol, host, hostname } = new URL(uploadUrl);
    const isLocal = isLoopback(hostname) && isLoopback(new URL(access.baseUrl).hostname);
    // Plain http is allowed only if both the service and the storage are on this machine.
    if (protocol !== 'https:' && !(protocol === 'http:' && isLocal)) {
        const message = `The service gave an upload address that is not https (${protocol}//${host}). Nothing was sent, because others on the network could read the file.`;
        throw new GateError({ ...forOwner('refused', message, "Contact the service's support."), path });
    }
    await withTries({
        endpoint: STORAGE,
        deadline,
        attempt: async (timeoutMs) => {
            const { headers, body } = plainBody(file);
            const request = { url: uploadUrl, headers: { ...headers, 'x-ms-blob-type': 'BlockBlob' }, body, timeoutMs };
            const sending = http.send({ method: STORAGE.method, ...request, signal: deadline.signal });
            const response = await sending.catch((error) => {
                throw error instanceof ConnectionError ? new ServiceError(STORAGE, error, host) : error;
            });
            const { status, retryAfter, text = '' } = response;
            // Only the error code is shown: other parts of the response may contain the signed address.
            const message = /<Code>(\w{1,64})<\/Code>/.exec(clean(text))?.[1] ?? (isWebPage(text) ? WEB_PAGE : '');
            // If the storage has the blob already, that has the same bytes, because its name is derived from them.
            const isStored = [409, 412].includes(status) && STORED_CODES.includes(message);
            if (!isSuccess({ status }) && !isStored)
                throw new ServiceError(STORAGE, { status, message, isPage: false, retryAfter }, host);
        },
        log: (line) => log.info(`${path}: ${line}`),
    });
}

;// CONCATENATED MODULE: ./lib/src/service/client.js









/**
 * The modules of this folder, in the order in which a run uses them. Requests: `client`, `requester` (with `endpoints` and
 * `tries`), `responses`, `service-error` and `advice`. Sending: `upload`, `storage` and `submit`. Results: `reader` reads a
 * `submission` and each `asset` with its `issue`s; `outcome` says what follows for a file; `extras` adds what no verdict
 * depends on.
 */
/** More requests at the same time are no faster, and would only reach the rate limit. */
const MAX_CONCURRENT_REQUESTS = 8;
const FIRE_MS = 60_000;
/** One function for each endpoint. A response counts as unreadable if it is about a resource that was not requested. */
function createClient(given) {
    const options = { http: createHttp(), ...given };
    const { access, log, mask } = options;
    const requester = new ServiceRequester(options);
    const outages = new Map();
    return {
        mode: access.mode,
        uploadUrl: async (filename, contentType, deadline) => {
            const request = { payload: json({ filename, contentType }), deadline };
            const response = await requester.send(ENDPOINTS.uploadUrl, UploadUrlResponse, request);
            // Whoever has the address can write to it. Debug output of Node.js or undici would show it.
            mask(...secretsIn(response.uploadUrl, [filename, contentType]));
            return response;
        },
        uploadDirect: async (payload, deadline) => await requester.send(ENDPOINTS.uploadDirect, DirectUploadResponse, { payload, deadline }),
        putFile: async (file, uploadUrl, deadline) => await sendToStorage({ file, uploadUrl }, options, deadline),
        createSubmission: async ({ simulationDelaySeconds, ...body }, deadline) => {
            const query = simulationDelaySeconds === undefined ? '' : `?simulationDelaySeconds=${simulationDelaySeconds}`;
            const request = { query, payload: json(body), deadline };
            return await requester.send(ENDPOINTS.create, CreationResponse, request);
        },
        readSubmission: async (submissionId, deadline) => {
            const schema = dist/* object */.Ikc({ ...SubmissionResponse.entries, submissionId: sameId(submissionId) });
            return await requester.send(ENDPOINTS.readSubmission, schema, { ids: [submissionId], deadline });
        },
        readAsset: async (submissionId, assetId, deadline) => {
            const same = { assetId: sameId(assetId), submissionId: dist/* nullish */.cl6(sameId(submissionId)) };
            const schema = dist/* object */.Ikc({ ...AssetResponse.entries, ...same });
            return await requester.send(ENDPOINTS.readAsset, schema, { ids: [submissionId, assetId], deadline });
        },
        /** After an outage, the list is not requested again in this run: files that need it are unjudged or last known. */
        readList: async (list, ids, deadline) => {
            const endpoint = ENDPOINTS[list];
            const outage = outages.get(endpoint);
            if (outage)
                throw outage;
            try {
                return await requester.send(endpoint, dist/* unknown */.L5J(), { ids, deadline });
            }
            catch (error) {
                if (error instanceof ServiceError && error.isOutage)
                    outages.set(endpoint, error);
                throw error;
            }
        },
        retryAsset: async (submissionId, assetId, deadline) => await requester.send(ENDPOINTS.retryAsset, CreationResponse, { ids: [submissionId, assetId], deadline }),
        /** Fires the event that a test workflow requested. A failure is only a warning, because the verdict is made. */
        fireEvent: async (event, signal) => {
            const { eventType, submissionId } = event;
            log.info(`Firing ${eventType} for ${submissionId}: it reaches every active subscription of the workspace`);
            const request = { payload: json(event), deadline: { signal, until: performance.now() + FIRE_MS } };
            try {
                const { dispatched } = await requester.send(ENDPOINTS.fire, dist/* object */.Ikc({ dispatched: dist/* number */.aig() }), request);
                log.info(`${eventType}: dispatched to ${plural(dispatched, 'subscription')}`);
            }
            catch (error) {
                log.warning(`The sandbox event was not fired: ${messageOf(error)}.`);
            }
        },
    };
}
function json(value) {
    return () => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) });
}
/** The schema of an id in a response about a resource with this id. */
function sameId(id) {
    return dist/* pipe */.FsL(dist/* string */.YjP(), dist/* check */.z6Y((received) => idKey(received) === idKey(id), `It is about another resource than ${id}.`));
}

;// CONCATENATED MODULE: ./lib/src/state/document.js



/** Records are kept in lists, not in objects with paths as keys: in JavaScript, `__proto__` is a special key. */
const Sha256 = dist/* pipe */.FsL(dist/* string */.YjP(), dist/* regex */.yGV(/^[0-9a-f]{64}$/));
const Time = dist/* pipe */.FsL(dist/* string */.YjP(), dist/* isoTimestamp */.yhX());
const Category = dist/* picklist */.KIO(['video', 'audio', 'image', 'document']);
const MAX_TEXT_LENGTH = 300;
const Text = dist/* pipe */.FsL(dist/* string */.YjP(), dist/* transform */.pdi((text) => text.slice(0, MAX_TEXT_LENGTH).toWellFormed()));
/** Only the fields of an issue that a later verdict or comparison needs: other fields may be large or secret. */
const IssueRecord = dist/* pipe */.FsL(dist/* object */.Ikc({
    id: Text,
    severity: dist/* picklist */.KIO(SEVERITIES),
    status: Text,
    ruleCode: Text,
    summary: Text,
    headline: dist/* optional */.lqM(Text),
    // JSON writes Infinity as null, so null is read as undefined.
    referenceNumber: dist/* fallback */.NpB(dist/* optional */.lqM(dist/* number */.aig()), undefined),
    sidekickId: dist/* optional */.lqM(Text),
}), dist/* transform */.pdi((issue) => ({ ...issue, precedents: [] })));
/** The fields of every record: a content that was sent to the service, in one submission. */
const SENT = {
    /** When the content was sent. In states of earlier versions, an analysis has the time of its first read. */
    at: Time,
    /** The run that sent it. Earlier versions did not save it. */
    runId: dist/* optional */.lqM(dist/* string */.YjP()),
    sha256: Sha256,
    /** The file name that was sent to the service. */
    name: dist/* string */.YjP(),
    category: Category,
    submissionId: dist/* string */.YjP(),
    /** A hash of the ids of the sidekicks that analyse the content. */
    sidekicks: dist/* string */.YjP(),
};
/** What is known of a content in one submission. No failure is saved: each run asks the service about open records. */
const ContentRecord = dist/* variant */.Oxt('kind', [
    dist/* object */.Ikc({
        kind: dist/* literal */.euz('open'),
        ...SENT,
        /** Whether it was sent with another API key, and this one has read no result of it. */
        isOfOtherKey: dist/* optional */.lqM(dist/* literal */.euz(true)),
    }),
    dist/* object */.Ikc({
        kind: dist/* literal */.euz('analysed'),
        ...SENT,
        assetId: dist/* string */.YjP(),
        versionNumber: dist/* optional */.lqM(dist/* number */.aig()),
        issues: dist/* array */.YOg(IssueRecord),
        /** Stored so that the topics of a reused file need no request. */
        topics: dist/* optional */.lqM(dist/* array */.YOg(dist/* object */.Ikc({ title: Text, issueIds: dist/* array */.YOg(Text) }))),
    }),
    /** Earlier versions saved failures. */
    dist/* pipe */.FsL(dist/* object */.Ikc({ kind: dist/* literal */.euz('failed'), ...SENT }), dist/* transform */.pdi((record) => ({ ...record, kind: 'open', isOfOtherKey: undefined }))),
]);
/** Identifies one analysis: a submission has one asset for each content. */
function analysisId({ sha256, submissionId }) {
    return `${sha256} ${idKey(submissionId)}`;
}
function isAnalysed(record) {
    return record.kind === 'analysed';
}
/** The content of a path that the run found, and the submission of the issues that counted last. */
const PathRecord = dist/* object */.Ikc({
    path: dist/* string */.YjP(),
    sha256: Sha256,
    submissionId: dist/* string */.YjP(),
    /** Whether these issues counted in the run that saved this state. */
    isPresent: dist/* boolean */.zMY(),
});
const StateDocument = dist/* object */.Ikc({ contents: dist/* array */.YOg(ContentRecord), paths: dist/* array */.YOg(PathRecord) });
/** How many days a record is kept at least: a revert may restore a file. */
const KEEP_DAYS = 90;
const DAY_MS = 86_400_000;
/** Always false for 0 days, even if a machine whose clock is ahead wrote a future time. @param time ISO 8601 */
function isYounger(time, days, now) {
    return days > 0 && now.getTime() - Date.parse(time) < days * DAY_MS;
}

;// CONCATENATED MODULE: ./lib/src/state/gate-id.js


/** These values distinguish the gates of a repository. */
function gateId(gate) {
    return digest([gate.name, gate.workflow, gate.job, gate.matrix]);
}
function bindRun(inputs, context, key) {
    const { repositoryId, runId, runAttempt, event, branch, eventCommit, pullRequest, head } = context;
    const run = { repositoryId, gate: gateId({ ...context, ...inputs }), ...key, runId, runAttempt, event };
    // In a run for a pull request, `assertHeadCheckedOut` checks HEAD before a state is used. In any other run, a HEAD that
    // is not the commit of the event may belong to any branch.
    const isBranchKnown = pullRequest !== undefined || head === eventCommit;
    return isBranchKnown ? { ...run, branch, commit: eventCommit } : { ...run, branch: '', commit: head ?? '' };
}
/** Whether the run checked what its branch holds, not a tag. Only the state of a branch run can be a baseline. */
function isOfBranchRun({ event, branch }) {
    return isBranchEvent(event) && branch !== '' && !branch.startsWith('refs/');
}
/**
 * The names of a gate's artifacts: `open` for what a run saves right after the creation, and for what it saves at its end
 * `state` if it is a branch run, otherwise `pull`: pull requests would crowd the states of branches out of the list. GitHub
 * lists artifacts by their exact name, so each name has a hash of gate and mode.
 */
function artifactNames(name, binding) {
    const hash = digest([binding.gate, binding.mode]);
    const [state, pull, open] = [`${name}-state-${hash}`, `${name}-pull-${hash}`, `${name}-open-${hash}`];
    return { all: [state, pull, open], state, open, end: isOfBranchRun(binding) ? state : pull };
}
/** The hash in the name of a state's artifact, which identifies a gate and a mode. Undefined for any other artifact. */
function gateInName(artifact) {
    return /-(?:state|pull|open)-([0-9a-f]{16})$/.exec(artifact)?.[1];
}
function digest(parts) {
    return (0,external_node_crypto_.createHash)('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
}

;// CONCATENATED MODULE: ./lib/src/state/baseline.js


/**
 * With `fail-on-issues: new`, a pull request or merge group is compared with a run of its base commit, otherwise of its
 * base branch, and a branch run with an older run of its branch. Any other run is not compared.
 */
function baseOf(binding, { baseCommit: commit, baseBranch: branch }, { policy, stateFile }) {
    if (policy.failOnIssues !== 'new')
        return undefined;
    if (isOfBranchRun(binding))
        return { branch: binding.branch, run: binding };
    if (branch === undefined)
        return undefined;
    // A pull request may contain an old state file of the base branch, whose signature is valid. So with `state-file`,
    // only a state of exactly the base commit is a baseline.
    return { commit, ...(stateFile === undefined && { branch }) };
}
/** Whether a branch run of the base saved the state at its end. */
function isBaseline({ binding, isOwn }, base) {
    return isOwn && binding.kind === 'state' && isOfBranchRun(binding) && isOfBase(binding, base);
}
/** Whether a run is one of the base, whatever its event. The list of artifacts, or a signed state, tells its branch. */
function isOfBase({ runId, branch = '', commit }, base) {
    const { run } = base;
    const isOlder = run === undefined || (Number(runId) < Number(run.runId) && commit !== run.commit);
    return isOlder && (branch === base.branch || (commit !== undefined && commit === base.commit));
}
/**
 * The issues of each path whose issues counted in that run. The state also contains analyses from other branches: with
 * them, a file that was rejected in one pull request would pass in the next, because known issues do not fail the check.
 */
function baselineFrom({ document: { contents, paths } }) {
    const analyses = new Map(contents.filter(isAnalysed).map((record) => [analysisId(record), record]));
    return paths.flatMap((record) => {
        const analysis = record.isPresent ? analyses.get(analysisId(record)) : undefined;
        return analysis && analysis.issues.length > 0 ? { ...analysis, path: record.path } : [];
    });
}

;// CONCATENATED MODULE: ./lib/src/github/pull-request.js







/**
 * Throws if the base branch of the pull request is no longer that of the event. A re-run has the payload of the first
 * run, so an author could use the waivers of one base branch, and merge into another.
 */
async function assertSameBase({ pullRequest, baseBranch }, api) {
    if (pullRequest?.number === undefined)
        return;
    const pull = await api.pullRequest(pullRequest.number);
    if (pull.baseBranch === baseBranch)
        return;
    const message = `The base branch of the pull request was changed from ${baseBranch} to ${pull.baseBranch} after this run was started. Nothing was sent.`;
    const step = author('Push a commit, or close and reopen the pull request: a re-run keeps the old base.');
    throw new GateError({ reason: 'github', message, steps: [step] });
}
/** Finds the pull request that a push merged, or the last one of a merge group: its runs have checked the same files. */
async function findMerged({ event, branch, commit }, api) {
    // GitHub names the branch of a merge group after the last pull request in it.
    const [, number] = event === 'merge_group' ? (/\/pr-(\d+)-[0-9a-f]+$/.exec(branch) ?? []) : [];
    if (number !== undefined)
        return await api.pullRequest(Number(number));
    return event === 'push' ? (await api.pullRequestsOf(commit)).find(({ isMerged }) => isMerged) : undefined;
}
function unknown(why) {
    return { kind: 'unknown', why };
}
async function readChangedFiles(run, patterns, api) {
    const { pullRequest, eventCommit, baseBranch, checkoutRoot } = run;
    if (pullRequest?.number === undefined)
        return unknown('This run is for no pull request, or for one that GitHub does not name (`workflow_run` of a fork).');
    if (checkoutRoot === undefined)
        return unknown('The checkout is another folder. Set `working-directory` to the `path` of `actions/checkout`.');
    try {
        const { items, isCut } = await api.pullRequestFiles(pullRequest.number);
        // The pull request is read after the list. If its head and base are unchanged since the event, the list is valid.
        const now = await api.pullRequest(pullRequest.number);
        if (now.headSha !== eventCommit || now.baseBranch !== baseBranch)
            return unknown('The head or base of the pull request has changed since. A run that started later counts.');
        // The count of GitHub is sometimes too low, so a longer list is accepted. Without a count, the list may be a part.
        if (isCut || items.length < (now.changedFiles ?? Number.POSITIVE_INFINITY))
            return unknown(`GitHub listed only ${plural(items.length, 'changed file')}. Split the change.`);
        // Git converts the bytes of other files as `.gitattributes` says, so files that GitHub does not list change as well.
        const names = items.flatMap(({ filename, previous_filename: before = '' }) => [filename, before]);
        const attributes = names.find((name) => external_node_path_.posix.basename(name).toLowerCase() === '.gitattributes');
        if (attributes !== undefined)
            return unknown(`The pull request changes ${attributes}.`);
        // An unknown status counts as a change. Forgejo sends `deleted`.
        const present = items.filter(({ status }) => !['removed', 'deleted'].includes(status));
        const folder = folderIn(run);
        const root = await (0,promises_.realpath)(checkoutRoot);
        const listed = await Promise.all(present.map(async ({ filename }) => await entryAt(filename, root, folder)));
        const searched = listed.filter(({ file }) => !file.startsWith('../'));
        // If the base branch moved a file, Git merges the change into the moved file, but GitHub lists only the old path.
        const moved = searched.find(({ file, isMissing }) => isMissing && !patterns.selects(file) && isMedia(file));
        if (moved)
            return unknown(`The pull request changes ${moved.file}, and the base branch may have moved that file.`);
        const files = searched.filter(({ isFile, isMissing }) => isFile || isMissing);
        const selected = files.flatMap(({ file }) => (patterns.selects(file) ? file : []));
        return { kind: 'known', paths: listed.map(({ leadsTo }) => leadsTo), selected };
    }
    catch (error) {
        if (error instanceof GitHubError)
            return unknown(error.notice);
        throw error;
    }
}
/** What the checkout has at a listed path, relative to the searched folder. @param folder with a slash at the end */
async function entryAt(listed, root, folder) {
    const relative = (file) => (file.startsWith(folder) ? file.slice(folder.length) : `../${file}`);
    const place = external_node_path_.join(root, listed);
    const stats = await (0,promises_.lstat)(place).catch(() => undefined);
    const real = stats?.isSymbolicLink() ? await (0,promises_.realpath)(place).catch(() => place) : place;
    return {
        file: relative(listed),
        leadsTo: relative(external_node_path_.relative(root, real).replaceAll(external_node_path_.sep, '/')),
        isMissing: stats === undefined,
        isFile: stats?.isFile() ?? false,
    };
}
function changesIn(changed) {
    if (changed?.kind !== 'known')
        return () => undefined;
    // One name has several Unicode forms, and a file system may return another form than Git has stored.
    const paths = new Set(changed.paths.map((each) => each.normalize('NFC')));
    return (file) => {
        // The path of a submodule ends in `/`, but not in GitHub's list.
        const start = file.normalize('NFC').replace(/\/$/, '');
        for (let at = start; at !== '.'; at = external_node_path_.posix.dirname(at))
            if (paths.has(at))
                return true;
        return false;
    };
}
/** Applies the input `only-changed`. If the changed files are unknown, all files are kept, and a notice says why. */
function onlyChanged(discovery, changed) {
    if (changed.kind === 'unknown') {
        const notice = `\`only-changed\` was not applied and all ${discovery.files.length} matched files are checked. ${changed.why}`;
        return { ...discovery, notices: [...discovery.notices, notice] };
    }
    const found = new Set(discovery.files.map((file) => file.path.normalize('NFC')));
    const missing = changed.selected.filter((file) => !found.has(file.normalize('NFC')));
    if (missing.length > 0)
        throw new GateError(missing.map(missingProblem));
    const isChanged = changesIn(changed);
    return { ...discovery, files: discovery.files.filter((file) => isChanged(file.path)) };
}
function missingProblem(file) {
    const message = 'The pull request changes this file, but it is not in the workspace, so it cannot be checked.';
    const fix = 'Check out the whole pull request before this step: without `sparse-checkout`, and not the base branch.';
    return { ...forOwner('checkout', message, fix), path: file };
}
function noneChanged(matched) {
    const message = `The pull request changes none of the ${matched} files that match the input \`files\`, so nothing was checked.`;
    const fix = 'There is nothing to do. To check all files in every pull request, remove `only-changed: true`. Unchanged files are not sent again.';
    return forOwner('no-files', message, fix);
}

;// CONCATENATED MODULE: ./lib/src/state/merge.js



/**
 * @param documents nearest first. Paths come from the nearest one that has any: those of other gates have none, and a
 * pull request must not add paths to every state.
 */
function joinStates(documents) {
    const records = neededIn(documents.flatMap(({ contents }) => contents));
    const { paths } = documents.find((document) => document.paths.length > 0) ?? { paths: [] };
    return {
        records: Map.groupBy(records, ({ sha256 }) => sha256),
        paths: new Map(paths.map((record) => [record.path, record])),
    };
}
/** The state for the next run: the records of earlier runs, updated with the results of this run. */
function mergeState(earlierState, run) {
    const paths = pathsAfter(earlierState.paths, run);
    const inUse = new Set([...paths, ...run.contents.map(({ content }) => content)].map(({ sha256 }) => sha256));
    // Of two that were sent in the same moment, the later one is newer.
    const known = [...run.sent.toReversed(), ...[...earlierState.records.values()].flat()];
    const byId = new Map(known.map((record) => [analysisId(record), record]));
    const results = run.analyses.flatMap((analysis) => analysedRecord(analysis, byId) ?? []);
    const keepDays = Math.max(run.reuseDays, KEEP_DAYS);
    return {
        contents: neededIn([...results, ...known]).filter(({ sha256, at }) => inUse.has(sha256) || isYounger(at, keepDays, run.now)),
        paths,
    };
}
/** Undefined if the file has no result. Parsing drops the fields that are not saved, and cuts long texts. */
function analysedRecord(analysis, byId) {
    const { content, submissionId, outcome, assetId, versionNumber, issues, topics } = analysis;
    const sent = byId.get(analysisId({ ...content, submissionId }));
    if (!sent || outcome !== 'result' || assetId === undefined)
        return undefined;
    const found = { assetId, versionNumber, issues, ...(topics.length > 0 && { topics }) };
    return dist/* parse */.qgA(ContentRecord, { ...sent, ...found, kind: 'analysed' });
}
/** A path whose issues did not count keeps its record, but must not become part of a baseline. */
function pathsAfter(before, run) {
    const counted = new Map(run.contents.flatMap(({ content: { sha256, paths }, counted: submissionId }) => submissionId === undefined ? [] : paths.map((path) => [path, { path, sha256, submissionId }])));
    return run.foundPaths.flatMap((path) => {
        const record = counted.get(path) ?? before.get(path);
        return record ? { ...record, isPresent: counted.has(path) } : [];
    });
}
/**
 * The records that later runs need, newest first: of each content the newest analysis, and what was sent after it. An
 * analysis replaces the open record of its submission; of two analyses of one submission, the first counts.
 */
function neededIn(records) {
    const analysedFirst = records.toSorted((a, b) => Number(isAnalysed(b)) - Number(isAnalysed(a)));
    const newestFirst = firstOfEach(analysedFirst, analysisId).toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at));
    return [...Map.groupBy(newestFirst, subjectOf).values()].flatMap((group) => {
        const newest = group.findIndex(isAnalysed);
        return newest === -1 ? group : group.slice(0, newest + 1);
    });
}
/** The first of the items that have the same key, in their order. */
function firstOfEach(items, keyOf) {
    return [...Map.groupBy(items, keyOf).values()].flatMap((group) => group.slice(0, 1));
}
/**
 * Analyses of the same bytes, category, sidekicks and, for documents, extension replace each other. The extension decides
 * which program opens a document.
 */
function subjectOf(record) {
    const { sha256, category, sidekicks, name } = record;
    return [sha256, category, sidekicks, ...(category === 'document' ? [extensionOf(name)] : [])].join(' ');
}

// EXTERNAL MODULE: ./node_modules/fflate/esm/index.mjs
var esm = __webpack_require__(51306);
;// CONCATENATED MODULE: ./lib/src/state/seal.js





/** The origin of a state. It is signed with the document, so that a state cannot be moved to another gate or run. */
const Binding = dist/* object */.Ikc({
    repositoryId: dist/* string */.YjP(),
    /** Hash of the gate: its name, workflow, job and matrix leg. */
    gate: dist/* string */.YjP(),
    mode: dist/* picklist */.KIO(['live', 'sandbox']),
    /** A digest of the API key. Earlier versions did not save it. */
    apiKeyId: dist/* optional */.lqM(dist/* string */.YjP()),
    runId: dist/* string */.YjP(),
    runAttempt: dist/* number */.aig(),
    event: dist/* string */.YjP(),
    /** The branch that was checked, as `owner:branch` for a fork. Empty if it is unknown which branch is checked out. */
    branch: dist/* string */.YjP(),
    commit: dist/* string */.YjP(),
    /** `open`: saved right after a submission was created. `state`: saved at the end of a run, whatever the artifact's name. */
    kind: dist/* picklist */.KIO(['open', 'state']),
    savedAt: Time,
});
/** The keys are derived from it as well, so version 3 must stay readable. */
const FORMAT = 'media-compliance-gate/state/3';
const Envelope = dist/* object */.Ikc({
    format: dist/* literal */.euz(FORMAT),
    /** Identifies the signing key and reveals nothing about it. */
    keyId: dist/* string */.YjP(),
    signature: Sha256,
    /** JSON as text, so that exactly the signed text is parsed. */
    payload: dist/* string */.YjP(),
});
const Payload = dist/* object */.Ikc({ binding: Binding, document: StateDocument });
/** The key is derived, so that a signature reveals nothing about the secret itself. */
function signingKey(secret) {
    const derive = (info, length) => Buffer.from((0,external_node_crypto_.hkdfSync)('sha256', secret, FORMAT, info, length));
    return { id: derive('key id', 8).toString('hex'), bytes: derive('signature', 32) };
}
function seal(document, binding, key) {
    const payload = JSON.stringify({ binding, document });
    return JSON.stringify({ format: FORMAT, keyId: key.id, signature: sign(payload, key), payload });
}
/** No larger state is written or read, as a file or unpacked from an artifact. */
const MAX_STATE_BYTES = 64_000_000;
/** Why a state is not used, as the end of a sentence about it, and what to do. */
const PROBLEMS = {
    unreadable: [
        'cannot be read: it is damaged, was changed, or was saved by a newer version of this action',
        'Use the same version on all branches.',
    ],
    otherKey: [
        'was signed with another key',
        'Set `state-key` to the secret that signed it: the earlier `state-key`, or without one the earlier API key.',
    ],
    notOurs: [
        'belongs to another repository, run or kind of API key',
        'Give each kind of key its own state. If nobody moved it by mistake, find out who copied it.',
    ],
};
function isUsable(found) {
    return found !== undefined && 'document' in found;
}
/**
 * Opens a sealed state of any gate of the repository. The binding is compared before the key, so that a state of another
 * repository is reported as such. A state file may come from any run. In an artifact, only a state of the run that
 * uploaded it is accepted.
 */
function unseal(bytes, { where, runId }, { binding: ours, keys }) {
    const refuse = (kind) => {
        const [what, fix] = PROBLEMS[kind];
        return { message: `The state in ${where} ${what}`, fix };
    };
    // Anyone can upload a state, and collecting the problems of millions of items would take minutes.
    const envelope = dist/* safeParse */.xLC(Envelope, parseJson(new TextDecoder().decode(bytes)), { abortEarly: true });
    if (!envelope.success)
        return refuse('unreadable');
    const { keyId, signature, payload } = envelope.output;
    const state = dist/* safeParse */.xLC(Payload, parseJson(payload), { abortEarly: true });
    if (!state.success)
        return refuse('unreadable');
    const { binding, document } = state.output;
    const isOfRun = binding.runId === (runId ?? binding.runId);
    if (binding.repositoryId !== ours.repositoryId || binding.mode !== ours.mode || !isOfRun)
        return refuse('notOurs');
    const key = keys.find(({ id }) => id === keyId);
    if (!key)
        return refuse('otherKey');
    const isSigned = (0,external_node_crypto_.timingSafeEqual)(Buffer.from(signature, 'hex'), Buffer.from(sign(payload, key), 'hex'));
    if (!isSigned)
        return refuse('unreadable');
    const isOwnGate = binding.gate === ours.gate;
    const isOwnKey = (binding.apiKeyId ?? keyId) === ours.apiKeyId;
    const contents = isOwnKey ? document.contents : document.contents.map(asOfOtherKey);
    return { binding, document: { contents, paths: isOwnGate ? document.paths : [] }, isOwn: isOwnGate && isOwnKey };
}
/** What another API key has sent counts only once the service has responded with its submission, so it is open again. */
function asOfOtherKey(record) {
    return dist/* parse */.qgA(ContentRecord, { ...record, kind: 'open', isOfOtherKey: true });
}
function sign(payload, key) {
    return (0,external_node_crypto_.createHmac)('sha256', key.bytes).update(payload).digest('hex');
}
/** The name of a state's file in the archive of its artifact. */
const STATE_FILE = 'state.json';
/**
 * Unpacks the state of an artifact in memory. Undefined if the archive is damaged, too large, or has any other entry:
 * entries may share their bytes, so unpacking a small archive of many entries would take minutes.
 */
function stateIn(archive) {
    let entries = 0;
    try {
        const files = (0,esm/* unzipSync */.AO)(archive, {
            filter: ({ name, originalSize }) => {
                entries += 1;
                if (entries > 1 || name !== STATE_FILE || originalSize > MAX_STATE_BYTES)
                    throw new Error('This is no state.');
                return true;
            },
        });
        return files[STATE_FILE];
    }
    catch {
        return undefined;
    }
}

;// CONCATENATED MODULE: ./lib/src/state/find-states.js








/** At most this many archives are read, without those that are read in search of a baseline. */
const MAX_ARCHIVES = 16;
/** At most this many of them are of this gate, and at most as many are read in search of a baseline. */
const MAX_OWN_ARCHIVES = 12;
/** At most this many pages are listed of each name, and of all artifacts of the repository. */
const find_states_MAX_PAGES = 10;
const MAX_PAGES_OF_ALL = 5;
/** Pages are listed until states of this many runs are found, and one of the merged branch, otherwise of this one. */
const ENOUGH_LISTED = 20;
const NO_STATES = { states: [], baseline: undefined, notices: [], unread: 0 };
/** The state in an artifact, or why it cannot be used. Undefined if the artifact was deleted. */
async function readArtifact(artifact, options) {
    const { name, runId } = artifact;
    const archive = await options.api.artifactArchive(artifact);
    return archive && unseal(stateIn(archive), { where: `the artifact ${name} of run ${runId}`, runId }, options);
}
/**
 * Finds states in the order of docs/state.md, in two rounds: `nearest` reads what most runs need, and `rest` what may
 * know a file that would be sent otherwise.
 */
function openSearch(options) {
    const { api, base, binding, context, inputs } = options;
    /** If false, the search goes on after a failed request: `reuse-days: 0` needs no analysis, and a dry run sends nothing. */
    const canReuse = inputs.reuseDays > 0 && !inputs.dryRun;
    const names = artifactNames(inputs.name, binding);
    const isOwnGate = ({ name }) => names.all.includes(name);
    /** By id, because a page may repeat entries of the page before. */
    const listed = new Map();
    /** The next page of each list, by name. Undefined if the list was read to its end. */
    const nextPages = new Map();
    const read = new Map();
    const foundIn = (artifacts) => artifacts.flatMap(({ id }) => read.get(id) ?? []);
    /** About requests that failed, if the search went on without a response. */
    const notices = [];
    /** The pull request that a push has merged, or the last one of a merge group. */
    let merged;
    let baseline;
    /** How many archives the first round has read, without those for the baseline. */
    let spent = 0;
    const inOrder = () => nearestFirst([...listed.values()], { context, merged, isOwnGate });
    /** Lists the pages that were not listed before, at least the first, until it is enough. */
    const list = async (name, maxPages, isEnough = () => false) => {
        let page = nextPages.has(name) ? nextPages.get(name) : 1;
        while (page !== undefined && page <= maxPages && (page === 1 || !isEnough())) {
            const { items, isCut } = await api.artifacts(name, page);
            for (const artifact of items)
                if (gateInName(artifact.name) !== undefined)
                    listed.set(artifact.id, artifact);
            page = isCut ? page + 1 : undefined;
            nextPages.set(name, page);
        }
    };
    const download = async (artifacts) => {
        const unread = artifacts.filter(({ id }) => !read.has(id));
        await concurrently(unread, MAX_ARCHIVES, async (artifact) => {
            read.set(artifact.id, await readArtifact(artifact, options));
        });
    };
    /** Reads the nearest state, and of this branch that of the newest run and the one that was saved last. */
    const readNearest = async () => {
        await list(names.end, 1);
        const all = inOrder();
        const ofBranch = all.filter(({ branch }) => branch === context.branch);
        const nearest = new Set([...all.slice(0, 1), ...newestAndLast(ofBranch)]);
        spent = nearest.size;
        await download([...nearest]);
    };
    /** Reads the states of the base, newest run first, until one is a baseline: what was saved last may be of an older run. */
    const readBaseline = async (wanted) => {
        const isAtCommit = ({ commit }) => Number(commit === wanted.commit);
        const candidates = () => [...listed.values()]
            .filter(({ name, isOfRepository, isExpired }) => name === names.state && isOfRepository && !isExpired)
            .filter((artifact) => isOfBase(artifact, wanted))
            .toSorted((a, b) => isAtCommit(b) - isAtCommit(a) || newestRunFirst(a, b));
        await list(names.state, find_states_MAX_PAGES, () => candidates().length > 0);
        for (const artifact of candidates().slice(0, MAX_OWN_ARCHIVES)) {
            await download([artifact]);
            const found = read.get(artifact.id);
            if (!isUsable(found) || !isBaseline(found, wanted))
                continue;
            baseline = found;
            return;
        }
    };
    const readRest = async () => {
        try {
            merged = await findMerged(context, api);
        }
        catch (error) {
            if (!(error instanceof GitHubError) || error.trouble === 'outage')
                throw error;
            notices.push(`${error.notice} Until then, files of merged pull requests may be sent and billed again.`);
        }
        const branch = merged?.branch ?? context.branch;
        const isListedFarEnough = () => {
            const own = inOrder().filter(isOwnGate);
            return own.length >= ENOUGH_LISTED && own.some((artifact) => artifact.branch === branch);
        };
        for (const name of names.all)
            await list(name, 1);
        for (const name of names.all)
            await list(name, find_states_MAX_PAGES, isListedFarEnough);
        assertNotHidden();
        await list(undefined, MAX_PAGES_OF_ALL);
        const unread = inOrder().filter(({ id }) => !read.has(id));
        const own = unread.filter(isOwnGate).slice(0, MAX_OWN_ARCHIVES - spent);
        const others = unread.filter((artifact) => !isOwnGate(artifact));
        await download([...own, ...others.slice(0, MAX_ARCHIVES - spent - own.length)]);
    };
    /** Artifacts of forks may hide every state, if all pages of a name hold none of this repository. */
    const assertNotHidden = () => {
        const shown = new Set([...listed.values()].flatMap(({ name, isOfRepository }) => (isOfRepository ? name : [])));
        const hidden = names.all.filter((name) => (nextPages.get(name) ?? 0) > find_states_MAX_PAGES && !shown.has(name));
        if (hidden.length === 0)
            return;
        const problem = `${find_states_MAX_PAGES} pages of artifacts called ${hidden.join(', ')} were listed, and none is of this repository.`;
        const fix = `Delete the artifacts called ${hidden.join(', ')} that runs of forks have uploaded, or change \`name\`.`;
        if (canReuse)
            throw nothingSent(problem, workflowOwner(fix));
        notices.push(`${problem} ${fix}`);
    };
    const play = async (round) => {
        try {
            await round();
        }
        catch (error) {
            if (!(error instanceof GitHubError))
                throw error;
            if (canReuse)
                throw searchFailed(error);
            notices.push(`The state of earlier runs could not all be read. ${error.notice}`);
        }
        const artifacts = inOrder();
        const problems = foundIn(artifacts.filter(isOwnGate)).flatMap((found) => (isUsable(found) ? [] : found));
        const reasons = firstOfEach(problems, ({ fix }) => fix).map(({ message, fix }) => `${message}. Its files may be sent and billed again. ${fix}`);
        return {
            states: foundIn(artifacts).filter(isUsable),
            baseline,
            notices: [...notices, ...reasons],
            unread: artifacts.filter(({ id }) => !read.has(id)).length,
        };
    };
    return {
        nearest: async () => await play(async () => {
            await readNearest();
            if (base)
                await readBaseline(base);
        }),
        rest: async () => await play(readRest),
    };
}
function searchFailed(error) {
    const isOutage = error.trouble === 'outage';
    return nothingSent(error.message, isOutage ? rerun(`${error.fix} ${DELETE_ARTIFACT}`) : workflowOwner(GRANT), error);
}
const GRANT = 'Give the job the permissions `contents: read`, `actions: read` and `pull-requests: read`, or set `reuse-days: 0` to send and pay for every file in every run. Then commit and push: a re-run alone is not enough.';
/** The last resort if an artifact stays unavailable: without it, every run would end in an error. */
const DELETE_ARTIFACT = 'If an artifact cannot be read for good, delete it: what only its state knows is sent and billed again.';
/** Without the states it is unknown which files are paid for already, so the run ends before it sends a file. */
function nothingSent(problem, step, cause) {
    const message = `The results of earlier runs could not be read, so it is unknown which files have to be sent. ${problem} Nothing was sent and nothing was billed.`;
    return new GateError({ reason: 'github', message, steps: [step] }, { cause });
}
/**
 * The artifacts that may hold a usable state, in the order of reading: those of this gate, then the nearest of each other
 * gate, then the others. Of each run and gate, only what was saved last.
 */
function nearestFirst(listed, places) {
    const lastSavedFirst = readable(listed, places).toSorted((a, b) => b.id - a.id);
    const all = firstOfEach(lastSavedFirst, ({ runId, name }) => `${runId} ${gateInName(name)}`);
    const { own = [], other = [] } = Object.groupBy(all, (artifact) => (places.isOwnGate(artifact) ? 'own' : 'other'));
    const others = inTurns(other, places);
    const nearestOfEach = firstOfEach(others, ({ name }) => gateInName(name));
    return [...new Set([...inTurns(own, places), ...nearestOfEach, ...others])];
}
/**
 * The artifacts of this repository, of this run, and of the fork whose pull request is checked or was merged, each with
 * the branch that it is of. Other artifacts of forks are never downloaded.
 */
function readable(listed, { context, merged }) {
    const { runId, branch, pullRequest } = context;
    const heads = [...(pullRequest ? [{ ...pullRequest, branch }] : []), ...(merged ? [merged] : [])];
    return listed.flatMap((artifact) => {
        if (artifact.isExpired)
            return [];
        if (artifact.runId === runId)
            return { ...artifact, branch };
        if (artifact.isOfRepository)
            return artifact;
        const { headRepositoryId, branch: headRef } = artifact;
        const head = heads.find((each) => each.headRepositoryId === headRepositoryId && each.headRef === headRef);
        return head ? { ...artifact, branch: head.branch } : [];
    });
}
/** How many turns the named branches have before the first turn of any other branch. */
const HEAD_START = 2;
/** An earlier attempt of this run; then each branch has one turn after the other. @param artifacts last saved first */
function inTurns(artifacts, { context, merged }) {
    const { runId, branch, baseBranch, defaultBranch } = context;
    const attempts = artifacts.filter((artifact) => artifact.runId === runId);
    const named = new Set([branch, merged?.branch, baseBranch, defaultBranch].filter((each) => each !== undefined));
    // A map keeps the order of insertion, so of the other branches the one that saved last comes first.
    const byBranch = Map.groupBy(artifacts, (artifact) => artifact.branch ?? '');
    const others = [...byBranch.keys()].filter((each) => !named.has(each));
    const turns = [...others, ...named].flatMap((each) => {
        const firstTurn = named.has(each) ? 0 : HEAD_START;
        return inBranch(byBranch.get(each) ?? []).map((artifact, index) => ({ artifact, turn: firstTurn + index }));
    });
    const ordered = turns.toSorted((a, b) => a.turn - b.turn).map(({ artifact }) => artifact);
    return [...new Set([...attempts, ...ordered])];
}
/** What the newest run of a branch saved, then what was saved last there, then the rest by run. */
function inBranch(artifacts) {
    return [...new Set([...newestAndLast(artifacts), ...artifacts.toSorted(newestRunFirst)])];
}
/** What the newest run saved, and what was saved last: by that run, or by a re-run of an older one. */
function newestAndLast(artifacts) {
    const [newest] = artifacts.toSorted(newestRunFirst);
    const [last] = artifacts.toSorted((a, b) => b.id - a.id);
    return [newest, last].filter((each) => each !== undefined);
}
function newestRunFirst(a, b) {
    return Number(b.runId) - Number(a.runId) || b.id - a.id;
}

;// CONCATENATED MODULE: ./lib/src/state/save-artifacts.js








/** Saves the state in artifacts of the run. */
function artifactStorage(options) {
    const { inputs, context, binding, runner } = options;
    const names = artifactNames(inputs.name, binding);
    const retentionDays = Math.max(inputs.reuseDays, KEEP_DAYS);
    /** The artifacts that this process has uploaded. */
    const uploaded = new Set();
    /** What this run has saved besides, in an earlier attempt, or in another step or job, by artifact id. */
    const others = new Map();
    /** What cannot be read is left out: this run's own state must be saved in any case. */
    const readOthers = async () => {
        for (const artifact of await listArtifactsOfRun(binding.runId)) {
            if (uploaded.has(artifact.id) || !names.all.includes(artifact.name))
                continue;
            const found = await readArtifact(artifact, options).catch(() => undefined);
            if (isUsable(found))
                others.set(artifact.id, found);
        }
    };
    /** Always writes a new file, so that the post step never finds one that is half written. */
    const write = async (text) => {
        const file = external_node_path_.join(await (0,promises_.mkdtemp)(external_node_path_.join(context.temp, 'gate-')), STATE_FILE);
        await (0,promises_.writeFile)(file, text, { flush: true });
        return file;
    };
    return {
        /** Tries whether a state can be written to disk, and leaves nothing. */
        tryOut: async (text) => {
            await (0,promises_.rm)(external_node_path_.dirname(await write(text)), { recursive: true });
        },
        /**
         * Writes a sealed state to disk, and uploads it. What this run has saved besides is joined with the state, because a
         * taken name is overwritten. Returns the path of the file.
         */
        save: async (sealWith, kind) => {
            const name = kind === 'open' ? names.open : names.end;
            /** Writes the state to disk, from where the post step uploads it if the main step dies. */
            const prepare = async () => {
                const file = await write(sealWith([...others.values()].map(({ document }) => document)));
                const upload = { names: [...new Set([name, ...names.all])], file, retentionDays };
                runner.saveForPost(JSON.stringify(upload));
                return upload;
            };
            let upload = await prepare();
            // The artifact client logs every step, so its output is put into a group.
            await runner.log.group('Saving the state', async () => {
                await readOthers();
                upload = await prepare();
                uploaded.add(await replaceArtifact(upload));
            });
            runner.saveForPost('');
            if ([...others.values()].some((state) => state.binding.runAttempt === binding.runAttempt))
                runner.log.warning(NAME_SHARED);
            return upload.file;
        },
    };
}
const NAME_SHARED = 'Another step or job of this run saves its state under the same artifact names. Give each gate a `name` of its own: gates with one name that run at the same time send and bill the same files.';
/**
 * Uploads a state under the first name, in place of what this run has saved under it. A name may stay taken after its
 * artifact was deleted, and an unfinished upload blocks its name for the rest of the run: then another name is used.
 */
async function replaceArtifact({ names, file, retentionDays }) {
    // GitHub does not document whether a re-run may use a name again without deleting the artifact first.
    await deleteArtifact(names[0] ?? '').catch(() => undefined);
    let failure;
    for (const name of names) {
        try {
            return await uploadArtifact({ name, files: [file], retentionDays });
        }
        catch (error) {
            failure ??= error;
            // Only the message shows that the name is taken. If the upload fails otherwise, another name does not help.
            if (!messageOf(error).includes('(409)'))
                break;
        }
    }
    throw failure;
}
/** In the post step, uploads the state if the main step died between writing the state to disk and uploading it. */
async function uploadPending(pending, log) {
    if (pending === '')
        return;
    try {
        const upload = JSON.parse(pending);
        await replaceArtifact(upload);
        log.info('The run had not saved its state. It is saved now, and the next run continues from it.');
    }
    catch (error) {
        log.warning(`The state of the run could not be saved, and it cannot be saved now either: ${messageOf(error)}. The next run may send the same files again.`);
    }
}

;// CONCATENATED MODULE: ./lib/src/state/state-file.js









/** Keeps the state in a file that the workflow stores itself, as on GHES. The file may come from any run and branch. */
function fileStorage(file, options) {
    const { base, context, inputs } = options;
    /** One name for the whole run, so that the same problem causes the same message. */
    const draft = `${file}.${(0,external_node_crypto_.randomUUID)()}.tmp`;
    /** Undefined without a file. Throws if the file cannot be used: it may say what is paid for. */
    async function readState() {
        await assertNoLinkInWorkspace(file, context.workspace);
        const bytes = await readBounded(file);
        const state = bytes && unseal(bytes, { where: `\`state-file\` (${file})` }, options);
        if (state && !isUsable(state))
            throw refused(state.message, `${state.fix} ${DELETE}`);
        return state;
    }
    /** Writes a draft, which goes in the end. Fails if its path exists already: it may be a link to another file. */
    async function withDraft(text, use) {
        await (0,promises_.mkdir)(external_node_path_.dirname(file), { recursive: true });
        try {
            await (0,promises_.writeFile)(draft, text, { flush: true, flag: 'wx' });
            await use();
        }
        finally {
            await (0,promises_.rm)(draft, { force: true });
        }
    }
    async function load() {
        try {
            const state = await readState();
            const baseline = state && base && isBaseline(state, base) ? state : undefined;
            return { ...NO_STATES, states: state ? [state] : [], baseline };
        }
        catch (error) {
            if (!inputs.dryRun)
                throw error;
            return { ...NO_STATES, notices: [messageOf(error)] };
        }
    }
    return {
        nearest: load,
        rest: load,
        /** Tries whether a state can be written, without changing the file. */
        tryOut: async (text) => await withDraft(text, async () => {
            if (await readBounded(file))
                await (await (0,promises_.open)(file, 'r+')).close();
        }),
        /** Reads the file again: another run may have changed it. Writes a draft first, so that the file stays whole. */
        save: async (sealWith) => {
            const state = await readState();
            const text = sealWith(state ? [state.document] : []);
            await withDraft(text, async () => {
                try {
                    await (0,promises_.rename)(draft, file);
                }
                catch (error) {
                    // A file that is mounted into a container can only be written in place.
                    if (!isSystemError(error) || error.code !== 'EBUSY')
                        throw error;
                    await (0,promises_.writeFile)(file, text, { flush: true });
                }
            });
            return file;
        },
    };
}
const DELETE = 'Or delete the file, and if it comes from a cache, change the key of the cache; every file is then sent again.';
/** The run ends before it sends a file: otherwise every file would be billed again, in every run. */
function refused(problem, fix) {
    const message = `${problem}, so it is unknown which files were sent before. It was left as it is.`;
    return new GateError(forOwner('bad-input', message, fix));
}
/** Undefined if the file does not exist. Empty, which is not a valid state, if the file is too large. */
async function readBounded(file) {
    try {
        const { size } = await (0,promises_.stat)(file);
        return size > MAX_STATE_BYTES ? new Uint8Array() : await (0,promises_.readFile)(file);
    }
    catch (error) {
        if (isSystemError(error) && error.code === 'ENOENT')
            return undefined;
        const fix = "Give the job's user read and write access to the file. If it is a folder, as Docker makes one for a missing mount, remove it.";
        throw refused(`\`state-file\` (${file}) cannot be read (${messageOf(error)})`, fix);
    }
}
/**
 * Throws if a part of the path inside the workspace is a symbolic link: with a committed link, a pull request could
 * make this action overwrite a file elsewhere. It cannot change a path outside the workspace.
 */
async function assertNoLinkInWorkspace(stateFile, workspace) {
    // The path may name the workspace as the runner does, or by its real path.
    for (const root of [workspace, await (0,promises_.realpath)(workspace)]) {
        const parts = relativeTo(root, stateFile)?.split('/') ?? [];
        for (const index of parts.keys()) {
            const shown = parts.slice(0, index + 1).join('/');
            const stats = await (0,promises_.lstat)(external_node_path_.join(root, shown)).catch(() => undefined);
            if (!stats?.isSymbolicLink())
                continue;
            const message = `The path in \`state-file\` leads through a symbolic link in the workspace: ${shown}. Nothing was written.`;
            const fix = `Remove the link ${FILE}, or set \`state-file\` to a path without links.`;
            throw new GateError({ ...forOwner('bad-input', message, fix), path: shown });
        }
    }
}

;// CONCATENATED MODULE: ./lib/src/state/store.js










const NO_HISTORY = { notices: [], unread: 0, earlierState: joinStates([]), isCompared: false };
/**
 * Where the state is kept between runs: in the file of `state-file`, otherwise in artifacts. If neither is available, warns
 * and keeps no state: then files are sent and billed again, and a baseline is missing.
 */
function openStore(given) {
    const { inputs, context, runner } = given;
    const { service, stateKey, stateFile } = inputs;
    if (!service)
        return withoutState(async () => NO_HISTORY);
    const apiKey = signingKey(service.apiKey);
    const binding = bindRun(inputs, context, { mode: service.mode, apiKeyId: apiKey.id });
    const base = baseOf(binding, context, inputs);
    if (stateFile === undefined && !runner.hasArtifacts) {
        return withoutState(async () => {
            if (inputs.reuseDays > 0 && !inputs.dryRun)
                runner.log.warning(NO_ARTIFACTS);
            return { ...NO_HISTORY, isCompared: base !== undefined };
        });
    }
    const keys = stateKey === undefined ? [apiKey] : [signingKey(stateKey), apiKey];
    const options = { ...given, binding, keys, base };
    const storage = stateFile === undefined
        ? { ...openSearch(options), ...artifactStorage(options) }
        : fileStorage(external_node_path_.resolve(context.workspace, stateFile), options);
    /** Of the states that were found last, nearest first. */
    let documents = [];
    const historyOf = ({ states, baseline, notices, unread }) => {
        documents = states.map(({ document }) => document);
        const compared = { isCompared: base !== undefined, baseline: baseline && baselineFrom(baseline) };
        return { notices, unread, earlierState: joinStates(documents), ...compared };
    };
    const sealWith = (kind, results, others = []) => {
        const state = mergeState(joinStates([...documents, ...others]), results);
        const sealed = seal(state, { ...binding, kind, savedAt: results.now.toISOString() }, keys[0]);
        if (Buffer.byteLength(sealed) <= MAX_STATE_BYTES)
            return sealed;
        throw new Error('it is larger than 64 MB. Spread the files over several gates, each with its own `name`');
    };
    return {
        nearest: async () => historyOf(await storage.nearest()),
        rest: async () => historyOf(await storage.rest()),
        /** Throws if the state cannot be written to disk: a run that could not save its submission must not create one. */
        tryOut: async (results) => {
            try {
                await storage.tryOut(sealWith('open', results));
            }
            catch (error) {
                const message = `The state of this run cannot be saved, so the next run would send every file again: ${messageOf(error)}. Nothing was sent.`;
                throw new GateError(forOwner('bad-input', message, UNWRITABLE), { cause: error });
            }
        },
        /** Returns the path of the saved state. If saving fails, warns and returns an empty text: the verdict stands. */
        save: async (kind, results) => {
            try {
                return await storage.save((others) => sealWith(kind, results, others), kind);
            }
            catch (error) {
                const cause = messageOf(error).replace(/\.$/, '');
                runner.log.warning(`The state could not be saved, so the next run may re-analyse and re-bill the same files: ${cause}. The verdict is not affected.`);
                return '';
            }
        },
    };
}
function withoutState(nearest) {
    return { nearest, rest: nearest, tryOut: async () => { }, save: async () => '' };
}
const NO_ARTIFACTS = 'The results cannot be saved for the next run, because this runner or server has no artifact storage of the current kind. The next run sends and bills all files again. Set `state-file` and keep that file between runs.';
const UNWRITABLE = "Free space on the disk, give the job's user write access, or set `state-file` to a path that can be written.";

;// CONCATENATED MODULE: ./lib/src/environment.js








/** @returns the environment; `problems` is what is wrong with the inputs and the proxy variables */
async function openEnvironment(env, { runner, signal }) {
    const started = readContext(env);
    runner.mask(...SECRET_INPUTS.map(runner.input));
    const read = readInputs(runner.input, started.workspace);
    const { inputs } = read;
    const proxyProblems = unifyProxies(env);
    const problems = [...read.problems, ...proxyProblems];
    const { searchRoot } = inputs;
    const context = { ...started, searchRoot, ...(await readCheckout(searchRoot, started.workspace)) };
    const client = inputs.service && createClient({ access: inputs.service, ...runner });
    const github = createGitHubApi({ ...context, ...runner, token: inputs.githubToken, signal });
    const store = openStore({ inputs, context, api: github, runner });
    return { inputs, problems, context, runner, github, store, client, signal };
}
/** When a step that begins now has used up its time. */
function deadlineIn(minutes, { signal }) {
    return { signal, until: performance.now() + minutes * 60_000 };
}
/** Each step that sends requests to the service has its own time limit, which begins when the step starts. */
function callsOf(environment) {
    const { client, runner, inputs } = environment;
    return { client, log: runner.log, deadline: deadlineIn(inputs.waitTimeoutMinutes, environment) };
}

;// CONCATENATED MODULE: ./lib/src/media/content.js

function contentsOf(files, pointers, repositoryId) {
    const fileOf = new Map(files.toReversed().map((file) => [file.sha256, file]));
    return [...Map.groupBy([...files, ...pointers], ({ sha256 }) => sha256)].flatMap(([sha256, copies]) => {
        const [path, ...others] = copies.map((each) => each.path).toSorted();
        if (path === undefined)
            return [];
        const file = fileOf.get(sha256);
        const type = copies.map((each) => each.type).find((each) => each !== undefined);
        const name = type ? uploadName(file?.path ?? path, { sha256, repositoryId, extension: type.extension }) : '';
        return { sha256, size: copies[0]?.size ?? 0, type, paths: [path, ...others], file, name };
    });
}
/** The service may cut a longer name. */
const MAX_NAME_LENGTH = 64;
/** 32 digits are 128 bits. With 64 bits, an attacker could find two files with the same digits in seconds. */
const HEX_DIGITS = 32;
/**
 * The name under which a file is uploaded. If two repositories share a workspace of the service, a file may replace
 * another with the same name. So hex digits make the name unique. The rest, the end of the path, is for people: they can
 * tell `en/hero.mp4` from `de/hero.mp4`.
 */
function uploadName(path, { sha256, repositoryId, extension }) {
    const digits = (0,external_node_crypto_.createHash)('sha256').update(`${repositoryId}\n${sha256}`).digest('hex').slice(0, HEX_DIGITS);
    const ending = `-${digits}.${extension.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, 20) || 'bin'}`;
    const stem = path
        .replace(/(?<=[^/])\.[^./]*$/, '')
        .replaceAll(/[^A-Za-z0-9]+/g, '-')
        .slice(ending.length - MAX_NAME_LENGTH)
        .replace(/^-|-$/g, '');
    return `${stem || 'file'}${ending}`;
}
/** Matches at every position: if the service drops the separator before the digits, the stem may end in hex digits. */
const DIGITS = new RegExp(`(?=([\\da-f]{${HEX_DIGITS}}))`, 'g');
/** All parts of a name that may be the digits of an upload name. */
function digitsIn(name) {
    return [...name.toLowerCase().matchAll(DIGITS)].map(([, digits = '']) => digits);
}

// EXTERNAL MODULE: ./node_modules/file-type/source/index.js + 35 modules
var source = __webpack_require__(38377);
;// CONCATENATED MODULE: ./lib/src/media/sniff.js




/** Reports a pointer whose content no earlier run has analysed. */
function pointerProblem(path) {
    const message = 'The file is a Git LFS pointer: its content was not checked out.';
    const fix = `To check out ${FILE}, set \`lfs: true\` in the \`actions/checkout\` step, commit and push. A re-run alone is not enough.`;
    return { ...forOwner('pre-flight', message, fix), path };
}
/** Enough for every type. An SVG file may have a long prolog before its root element; others need far fewer bytes. */
const HEAD_BYTES = 64 * 1024;
/** Limits how much detection reads at once. A file that makes detection read more is damaged. */
const MAX_READ_BYTES = 4 * 1024 * 1024;
/** What the bytes show: a pointer, a type, or nothing. Reads little of a large file. Throws for an unknown pointer. */
async function sniff({ path, absolutePath }, handle) {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const head = buffer.subarray(0, bytesRead);
    // A text is not compared with signatures: it may begin with "ID3" or "BM", which are signatures of media types.
    if (head.some(isControl))
        return { type: await detect(absolutePath) };
    const text = new TextDecoder().decode(head);
    const pointer = parsePointer(path, text);
    return pointer ? { pointer } : { type: typeOfBytes(extensionOfText(text), 'text/plain') };
}
const isControl = (byte) => byte < 0x20 && !(byte >= 0x08 && byte <= 0x0d) && byte !== 0x1b;
async function detect(absolutePath) {
    try {
        const result = await (0,source/* fileTypeFromBlob */.iS)(await (0,external_node_fs_.openAsBlob)(absolutePath), { maxBufferSize: MAX_READ_BYTES });
        // `ogx` means that detection does not know the first stream of an Ogg file. The file may be a video.
        return result?.ext === 'ogx' ? typeOfBytes('ogv', 'video/ogg') : result && typeOfBytes(result.ext, result.mime);
    }
    catch {
        // The file begins with the signature of a type, but the parser of that type failed on the rest.
        return undefined;
    }
}
const PROLOG = /^(?:\s+|<\?[^]*?\?>|<!--[^]*?-->|<!doctype[^[>]*(?:\[[^]*?\]\s*)?>)/i;
const ELEMENT = /^<(?:[\w.-]+:)?([a-z][\w-]*)(?=[\s/>])/i;
/** The extension for a text file. In markup, the first element decides. */
function extensionOfText(text) {
    let rest = text.trimStart();
    if (rest.startsWith('{\\rtf'))
        return 'rtf';
    if (rest.startsWith('%!PS'))
        return 'ps';
    // PDF readers ignore lines before the header.
    if (/^%PDF-\d/m.test(text.slice(0, 1024)))
        return 'pdf';
    for (let prolog = PROLOG.exec(rest); prolog; prolog = PROLOG.exec(rest))
        rest = rest.slice(prolog[0].length);
    const root = ELEMENT.exec(rest)?.[1]?.toLowerCase();
    return root === 'svg' || root === 'html' ? root : 'txt';
}
/** Matches only a whole file. Otherwise a file with a pointer and other bytes would have the result of the pointer. */
const POINTER = /^version https:\/\/git-lfs\.github\.com\/spec\/v1\r?\noid sha256:(?<sha256>[0-9a-f]{64})\r?\nsize (?<size>\d{1,15})(?:\r?\n)?$/;
function parsePointer(path, text) {
    if (!text.startsWith('version https://git-lfs'))
        return undefined;
    const { sha256, size } = POINTER.exec(text)?.groups ?? {};
    if (sha256 === undefined)
        throw new GateError(pointerProblem(path));
    return { path, sha256, size: Number(size), type: typeOfName(path) };
}

;// CONCATENATED MODULE: ./lib/src/plan/plan.js








function planRules({ reuseDays, sidekickIds }, { repositoryId, runId, runAttempt }) {
    return {
        repositoryId,
        runId,
        reuseDays,
        /** A hash of the sidekick ids: other sidekicks make a different analysis of the same bytes. */
        sidekicks: sidekickIds ? (0,external_node_crypto_.createHash)('sha256').update(sidekickIds.toSorted().join()).digest('hex').slice(0, 16) : '',
        /** Whether this is a second or later attempt of a run. People re-run a job to have failed files analysed again. */
        isRerun: runAttempt > 1,
    };
}
/** The id of what this run has read, the same as that of the record. */
function idOf({ content, submissionId }) {
    return analysisId({ sha256: content.sha256, submissionId });
}
/** What the plan does with a record, by what the service says about it now. */
// biome-ignore format: a table
const ROWS = {
    result: { search: 'used', rerun: 'never', reuseDays0: 'never' },
    'last-known': { search: 'used', rerun: 'never', reuseDays0: 'never' },
    working: { search: 'passed over', rerun: 'after seven days', reuseDays0: 'after seven days' },
    unread: { search: 'stops the search', rerun: 'never', reuseDays0: 'after seven days' },
    unclear: { search: 'stops the search', rerun: 'never', reuseDays0: 'at once' },
    retryable: { search: 'passed over', rerun: 'never', reuseDays0: 'at once' },
    failed: { search: 'passed over', rerun: 'at once', reuseDays0: 'at once' },
    missing: { search: 'left aside', rerun: 'at once', reuseDays0: 'at once' },
};
/**
 * Of several analyses of one content, the one that decides about it: a missing one only if there is no other.
 *
 * @param analyses newest first
 */
function decisive(analyses) {
    const present = analyses.filter(({ outcome }) => ROWS[outcome].search !== 'left aside');
    const end = present.findIndex(({ outcome }) => ROWS[outcome].search === 'stops the search');
    const searched = end === -1 ? present : present.slice(0, end);
    return searched.find(({ outcome }) => ROWS[outcome].search === 'used') ?? present[0] ?? analyses[0];
}
const NO_PLAN = { contents: [], unknownPointers: [] };
/** Whether another state may help: with an analysis of a file that would be sent or stay unjudged, or of a pointer. */
function needsOtherStates({ contents, unknownPointers }, asked) {
    const isSettled = ({ source }) => source.kind !== 'sent' && ROWS[outcomeOf(source.record, asked)].search === 'used';
    return unknownPointers.length > 0 || !contents.every(isSettled);
}
/** What the service says about a record. An open one that it was not asked about is unread. */
function outcomeOf(record, asked) {
    const found = asked.get(analysisId(record));
    if (!found)
        return isAnalysed(record) ? 'last-known' : 'unread';
    // This key may be of another workspace than the key that sent the file: then the submission is not ours.
    const isRefused = found.outcome === 'unread' && found.cause?.reason === 'refused';
    return isRefused && record.kind === 'open' && record.isOfOtherKey ? 'missing' : found.outcome;
}
/** Decides for each content whether it is sent, awaited or reused. */
function makePlan(basis, asked = new Map()) {
    const contents = [];
    const unknownPointers = [];
    for (const candidate of candidatesIn(basis)) {
        const planned = decide(candidate, basis, asked);
        if (planned)
            contents.push(planned);
        else
            unknownPointers.push(...candidate.content.paths);
    }
    return { contents, unknownPointers };
}
/** The contents of this run, each with the records of the same type and sidekicks that earlier runs have saved. */
function candidatesIn({ files, pointers, repositoryId, sidekicks, earlierState }) {
    return contentsOf(files, pointers, repositoryId).map((content) => {
        const { type } = content;
        const subject = subjectOf({ ...content, category: type?.category ?? 'document', sidekicks });
        // The bytes of a pointer are not in the workspace. Unless its name decides, it has the type that was analysed.
        const isSame = (record) => type ? subjectOf(record) === subject : record.sidekicks === sidekicks;
        return { content, records: (earlierState.records.get(content.sha256) ?? []).filter(isSame) };
    });
}
/**
 * Whether an analysis is older than `reuse-days`; with 0, every one that another run has saved. An open record is never too
 * old, even if it has a result now.
 */
function isTooOld(record, { reuseDays, runId, now }) {
    if (!isAnalysed(record))
        return false;
    return reuseDays === 0 ? record.runId !== runId : !isYounger(record.at, reuseDays, now);
}
/** After this time, an analysis that has not ended may be given up. */
const GIVE_UP_DAYS = 7;
/** Undefined for Git LFS pointers whose content is unknown. */
function decide({ content, records }, basis, asked) {
    const { reuseDays, isRerun, now } = basis;
    const present = records
        .filter((record) => !isTooOld(record, basis))
        .map((record) => ({ record, outcome: outcomeOf(record, asked) }))
        .filter(({ outcome }) => ROWS[outcome].search !== 'left aside');
    // With `reuse-days: 0`, only the newest record can keep a file from being sent.
    const chosen = decisive(reuseDays === 0 ? present.slice(0, 1) : present);
    if (chosen) {
        const { record, outcome } = chosen;
        const row = ROWS[outcome];
        const when = reuseDays === 0 ? row.reuseDays0 : isRerun ? row.rerun : 'never';
        const isDue = when === 'at once' || (when === 'after seven days' && !isYounger(record.at, GIVE_UP_DAYS, now));
        // An `unread` or `unclear` record may have the result, so nothing is sent beside it.
        const mayHaveResult = reuseDays > 0 && present.some((each) => ROWS[each.outcome].search === 'stops the search');
        if (!isDue || mayHaveResult) {
            // The plan has read what an earlier run has analysed, and what has failed, so the wait does not read it again.
            const kind = isAnalysed(record) || outcome === 'failed' ? 'reused' : 'awaited';
            return { content, source: { kind, record }, records };
        }
    }
    if (!isSendable(content))
        return undefined;
    return { content, source: { kind: 'sent', why: reasonToSend(records[0], basis, asked) }, records };
}
function isSendable(content) {
    return content.file !== undefined;
}
function reasonToSend(newest, { reuseDays }, asked) {
    if (!newest)
        return 'new';
    const isMissing = outcomeOf(newest, asked) === 'missing';
    if (reuseDays === 0 || (isAnalysed(newest) && !isMissing))
        return 'asked for by reuse-days';
    return isMissing ? 'no longer at the service' : 'earlier analysis has no result';
}
/** The submissions that may hold the analysis of a content of this run, and that it has not asked for yet. */
function submissionsToAsk(basis, asked) {
    const files = candidatesIn(basis).flatMap(({ content, records }) => records
        .filter((record) => !isTooOld(record, basis) && !asked.has(analysisId(record)))
        .map((record) => ({ content, record })));
    return submissionsOf(files, basis.earlierState);
}
function awaitedSubmissions(plan, earlierState) {
    const awaited = plan.contents.flatMap(({ content, source }) => source.kind === 'awaited' ? [{ content, record: source.record }] : []);
    return submissionsOf(awaited, earlierState);
}
function submissionsOf(files, { records }) {
    const analysed = [...records.values()].flat().filter(isAnalysed);
    const known = Map.groupBy(analysed, ({ submissionId }) => idKey(submissionId));
    const groups = Map.groupBy(files, ({ record }) => idKey(record.submissionId));
    return [...groups].map(([key, group]) => ({
        submissionId: group[0]?.record.submissionId ?? key,
        files: group.map(({ content, record }) => ({
            // The asset at the service has the name that an earlier run sent.
            content: { ...content, name: record.name },
            earlier: isAnalysed(record) ? record : undefined,
        })),
        knownAssets: new Set((known.get(key) ?? []).map(({ assetId }) => idKey(assetId))),
    }));
}
function contentsToSend(plan) {
    return plan.contents.flatMap(({ content, source }) => (source.kind === 'sent' && isSendable(content) ? content : []));
}
/**
 * The submissions of the earlier versions of what is sent, by content hash: the last one in which a path was analysed, and of
 * a renamed file the one in which its bytes were.
 */
function previousSubmissions(plan, { paths, records }) {
    return new Map(contentsToSend(plan).flatMap(({ sha256, paths: own }) => {
        const last = own.map((path) => paths.get(path)).find((record) => record !== undefined);
        const previous = last ?? records.get(sha256)?.find(isAnalysed);
        return previous ? [[sha256, previous.submissionId]] : [];
    }));
}
/** Every reason why a file cannot be sent. All reasons are reported together, before a file is sent. */
function problemsIn(plan, { problems }, { maxFiles }) {
    const unknown = plan.unknownPointers.map(pointerProblem);
    const number = contentsToSend(plan).length;
    const fix = 'Narrow the patterns in `files`, or raise `max-files` if all of them should be analysed. Then commit and push.';
    // Prevents a surprise bill: a pattern that matches a whole archive fails the check, and nothing is sent.
    const message = `${number} files would be sent, but \`max-files\` allows only ${maxFiles}. Nothing was sent.`;
    return [...problems, ...unknown, ...(number > maxFiles ? [forOwner('pre-flight', message, fix)] : [])];
}
/** The warning about files that are paid for again, unless `reuse-days` asks for that. Undefined if there are none. */
function describeLosses(plan, isSandbox) {
    const lost = plan.contents.filter(({ source }) => source.kind === 'sent' && !['new', 'asked for by reuse-days'].includes(source.why));
    if (lost.length === 0)
        return undefined;
    const paths = formatList(lost.map(({ content }) => content.paths[0]));
    return `${plural(lost.length, 'file')} will be ${isSandbox ? 'sent' : 'analysed and billed'} again: ${paths}.`;
}

;// CONCATENATED MODULE: ./lib/src/service/advice.js



const advice = (reason, ...steps) => ({ reason, steps });
const refuses = (what, given) => ({
    ...given,
    refusal: `The compliance service does not accept ${what}.`,
});
const aboutFile = (what, fix) => refuses(what, advice('refused', author(`${fix}. Then commit and push.`), EXCLUDE_IT));
const CHECK_BASE_URL = workflowOwner("Check that `base-url` is the address of the compliance service. If it is, contact the service's support.");
const OTHER_SITE = workflowOwner('Check `base-url` and the network: a login page, gateway, proxy or firewall responded instead of the service. If it is in front of the service, ask its administrator to let this request through.');
const VALID_KEY = workflowOwner('Store a valid key for the server in `base-url` in the secret of `api-key`.');
const ABOUT_REQUEST = workflowOwner('The message may be about `sidekick-ids`, `metadata` or the number of assets.');
const OTHER_PLAN = accountOwner('Choose a plan that includes this kind of request.');
const LATER = rerun('Re-run this job later.');
const AT_UPLOAD = {
    forbidden: aboutFile('the name of this file', `Rename ${FILE}: the service does not accept its name`),
    'too large': aboutFile('a file of this size', `Make ${FILE} smaller`),
    'wrong type': aboutFile('this kind of file', `Save ${FILE} in a form that the service accepts: usually MP4 (video), WAV or MP3 (audio), JPEG or PNG (image), or PDF (document)`),
    invalid: aboutFile('the name or the type of this file', `Rename or convert ${FILE}: the service does not accept its name or its type`),
};
const AT_CREATION = {
    ...AT_UPLOAD,
    // The service itself chose the path of an uploaded file, so renaming the file does not help.
    forbidden: refuses('an uploaded file', advice('refused', rerun(), SUPPORT)),
    invalid: refuses('this submission', advice('refused', ABOUT_REQUEST)),
};
const ALWAYS = {
    page: advice('refused', OTHER_SITE, rerun()),
    // No redirect is followed, because the request carries the API key.
    redirect: advice('bad-input', OTHER_SITE),
    'wrong JSON': advice('results', CHECK_BASE_URL, rerun()),
    'wrong key': refuses('the API key', advice('auth', VALID_KEY, rerun())),
    'wrong plan': refuses('this kind of request under the plan of the account', advice('plan', OTHER_PLAN, rerun())),
};
const BY_ENDPOINT = new Map([
    [ENDPOINTS.uploadUrl, AT_UPLOAD],
    [ENDPOINTS.uploadDirect, AT_UPLOAD],
    [ENDPOINTS.create, AT_CREATION],
]);
/** Says what happened and what to do. `on-service-error: warn` forgives only the reasons `service` and `timeout`. */
function explain(error, path) {
    const { reason, steps, refusal } = adviceFor(error);
    const response = `${error.message}.`;
    const said = refusal === undefined ? { message: response } : { message: refusal, detail: response };
    return { reason, ...said, steps, ...(path !== undefined && { path }) };
}
function adviceFor({ endpoint, failure, failureClass, isOutage, endsRun, storage }) {
    const known = BY_ENDPOINT.get(endpoint)?.[failureClass] ?? ALWAYS[failureClass];
    if (known && storage === '')
        return known;
    if (failure instanceof ConnectionError) {
        const place = storage === '' ? '`base-url` and the network' : `that this machine can reach ${storage}`;
        const check = workflowOwner(failure.fix ?? `Check ${place} (proxy, firewall).`);
        return endsRun ? advice('bad-input', check, LATER) : advice('service', LATER, check);
    }
    if (failureClass === 'rate limit') {
        const limit = `Ask the service for a higher limit of \`${endpoint.bucket}\`.`;
        return advice('service', LATER, workflowOwner(limit));
    }
    if (isOutage && storage === '' && failure.status >= 500)
        return { ...advice('service', LATER), refusal: `The compliance service is down (${failure.status}).` };
    if (isOutage)
        return advice('service', LATER, ...(failure.isPage ? [OTHER_SITE] : []));
    if (storage === '')
        return advice('refused', CHECK_BASE_URL);
    const check = `Check that the connection to ${storage} is fast enough, and that no proxy or firewall on the way changes requests.`;
    return advice('refused', workflowOwner(check), rerun(), SUPPORT);
}

;// CONCATENATED MODULE: ./lib/src/findings.js







function nothingFound() {
    return {
        notices: [],
        discovery: { files: [], unchecked: [], leftOut: 0, notices: [] },
        pathsBeforeOnlyChanged: [],
        inspection: { files: [], pointers: [], problems: [], warnings: [] },
        history: NO_HISTORY,
        plan: NO_PLAN,
        analyses: [],
        sent: [],
        submissionIds: [],
        stateFile: '',
        causes: [],
        isCancelled: false,
    };
}
/** Why a run ended early. An error of a type that is not named below is a defect of the action. */
function causesOf(error, { submissionIds }) {
    if (error instanceof GateError)
        return error.causes;
    if (error instanceof ServiceError)
        return [explain(error)];
    if (error instanceof GitHubError) {
        const { message, fix, trouble } = error;
        return [{ reason: 'github', message, steps: [trouble === 'outage' ? rerun(fix) : workflowOwner(fix)] }];
    }
    if (error instanceof Interruption)
        return [cancelledCause(error, submissionIds.length > 0)];
    const fix = 'This is a defect of the action, not of your files. Please report it with this message and the end of the log.';
    return [forOwner('internal', `The action itself failed: ${messageOf(error)}`, fix)];
}
function cancelledCause({ message: signal }, isOpen) {
    const when = isOpen
        ? 'while the service was analysing the submission. The analysis goes on there.'
        : 'before anything was submitted.';
    return {
        reason: 'cancelled',
        message: `The run was cancelled (${signal}) ${when}`,
        steps: [rerun()],
        ...(isOpen && { submission: 'open' }),
    };
}

// EXTERNAL MODULE: external "node:path/posix"
var posix_ = __webpack_require__(53916);
// EXTERNAL MODULE: ./node_modules/@actions/glob/lib/glob.js + 17 modules
var glob = __webpack_require__(54427);
;// CONCATENATED MODULE: ./lib/src/media/walk.js





/**
 * Lists a folder and everything below it. Follows no link. A pipe counts as a file: opening it fails.
 *
 * @param top relative to the root, which is a path without links; so are the results, with forward slashes
 * @returns files and links, and the folders that could not be opened, each with the error
 */
async function listBelow(root, top, shouldOpen) {
    const [files, links] = [[], []];
    const unreadable = new Map();
    const visit = async (start) => {
        if (!shouldOpen(start))
            return;
        // The root has `.git` and often `node_modules`, so not all folders in it are opened.
        const all = start === '' ? undefined : await foldersAtOnce(root, start, shouldOpen);
        for (const folder of all ?? [start])
            try {
                if (hasInvalidName(folder))
                    throw INVALID_NAME;
                for (const entry of (0,external_node_fs_.readdirSync)(external_node_path_.join(root, folder), { withFileTypes: true })) {
                    const place = (0,posix_.join)(folder, entry.name);
                    if (!entry.isDirectory())
                        (entry.isSymbolicLink() ? links : files).push(place);
                    else if (!all)
                        await visit(place);
                }
            }
            catch (error) {
                unreadable.set(folder, error);
            }
    };
    await visit(top);
    return { files, links, unreadable };
}
/**
 * The folder and all folders below it. Undefined if one of them is not to be opened or cannot be opened: `@actions/glob`
 * returns a folder before it opens it, but cannot leave it out.
 */
async function foldersAtOnce(root, top, shouldOpen) {
    const place = external_node_path_.join(root, top);
    // In a glob, other characters may have a meaning.
    if (!/^[\w./: -]+$/.test(place.replaceAll(external_node_path_.sep, '/')))
        return undefined;
    const found = [];
    try {
        const globber = await (0,glob/* create */.v)(`${place}${external_node_path_.sep}**${external_node_path_.sep}`, GLOB_OPTIONS);
        for await (const each of globber.globGenerator()) {
            const folder = relativeTo(root, each) ?? '';
            if (!shouldOpen(folder))
                return undefined;
            found.push(folder);
        }
    }
    catch {
        return undefined;
    }
    return found.length > 0 ? found : undefined;
}
const GLOB_OPTIONS = { followSymbolicLinks: false, implicitDescendants: false, matchDirectories: true };
const INVALID_NAME = new Error('its name is not valid UTF-8');
/** Node replaces bytes that are not UTF-8 with this character. Opening the changed name fails or opens another file. */
function hasInvalidName(file) {
    return file.includes('\ufffd');
}

;// CONCATENATED MODULE: ./lib/src/media/links.js






/**
 * No link is followed. If a reader of the repository can open selected paths through this link, it must lead to files
 * that are selected at their own paths: then their content is checked. Otherwise the link is a problem.
 */
async function findLinkProblems(root, link, patterns) {
    const end = await (0,promises_.stat)(external_node_path_.join(root, link)).catch(() => undefined);
    const isFolder = end?.isDirectory() === true;
    // A link to a file has no paths behind it, so only its own path counts.
    if (end && !isFolder && !patterns.selects(link))
        return [];
    const target = await targetOf(root, link);
    const isUnselected = (file) => !patterns.selects(file);
    const unselected = target && (isFolder ? await unselectedBehind(root, link, target, patterns) : [target].filter(isUnselected));
    if (unselected?.length === 0)
        return [];
    const shown = await (0,promises_.readlink)(external_node_path_.join(root, link));
    const message = `Links are not followed. What this one leads to (\`${shown}\`) is missing, outside the searched folder or a link, or \`files\` does not select all of it.`;
    const putItself = author(`Put the file or folder itself at ${FILE}, or remove the link. Then commit and push.`);
    const line = target && unselected && lineFor(target, unselected, patterns);
    const add = line === undefined ? [] : [workflowOwner(`To check what it leads to, add ${line} to the input \`files\`.`)];
    const exclude = workflowOwner(`If nothing behind ${FILE} is published, add the line \`${exclusionOf(link)}\` to the input \`files\`.`);
    return [{ reason: 'pre-flight', path: link, message, steps: [putItself, ...add, exclude] }];
}
/** Undefined if the link leads nowhere, to another link, out of the root, into `.git`, or to a folder that contains it. */
async function targetOf(root, link) {
    try {
        const place = external_node_path_.join(root, link);
        const direct = external_node_path_.resolve(external_node_path_.dirname(place), await (0,promises_.readlink)(place));
        const target = relativeTo(root, direct);
        if (target === undefined || (await (0,promises_.realpath)(direct)) !== direct)
            return undefined;
        return target.split('/').includes('.git') || relativeTo(direct, place) !== undefined ? undefined : target;
    }
    catch {
        return undefined;
    }
}
/**
 * The files that are selected by their path through the link to a folder, but not by their own. Undefined if no line of
 * `files` can help: a link behind the link, or a folder that cannot be opened.
 */
async function unselectedBehind(root, link, target, patterns) {
    const through = (own) => link + own.slice(target.length);
    const canSelectIn = (place) => patterns.search(place) !== 'nowhere';
    const { files, links, unreadable } = await listBelow(root, target, (own) => canSelectIn(through(own)));
    const isBlocked = links.some((each) => patterns.selects(through(each)) || canSelectIn(through(each)));
    if (isBlocked || unreadable.size > 0)
        return undefined;
    return files.filter((own) => patterns.selects(through(own)) && !patterns.selects(own));
}
/** What to add to `files` so that it selects these files behind a link. Undefined if one line cannot do that. */
function lineFor(target, files, { userLines }) {
    const endings = files.map((file) => {
        const name = external_node_path_.posix.basename(file);
        return isFileName(name) ? `*${literal(external_node_path_.posix.extname(name).toLowerCase())}` : literal(name);
    });
    const [first = '', ...others] = [...new Set(endings)];
    const ending = others.length > 0 ? `{${[first, ...others].join(',')}}` : first;
    const line = files.includes(target) ? literal(target) : `${literal(target)}/**/${ending}`;
    if (!files.every(new FilePatterns([line]).selects))
        return undefined;
    // If the user wrote no include pattern, an added line would replace the default ones. `**` stands for these.
    return userLines.length > 0 ? `the line \`${line}\`` : `the line \`${line}\`, after a first line \`**\``;
}

;// CONCATENATED MODULE: ./lib/src/media/discover.js











/**
 * Finds the files that the input `files` selects. Throws a `GateError` for everything that may hide a selected file: a
 * link, a folder that cannot be opened, a name that is not UTF-8.
 *
 * @param isDryRun whether to report media outside the patterns even if the patterns select some files
 */
async function discover(patterns, searchRoot, isDryRun = false) {
    const root = await (0,promises_.realpath)(searchRoot).catch(() => undefined);
    if (root === undefined || foldersAndFiles(root).length === 0)
        throw new GateError(NOT_CHECKED_OUT);
    const canSelectIn = (folder) => patterns.search(folder) !== 'nowhere';
    const { files, links: all, unreadable } = await listBelow(root, '', canSelectIn);
    // Other links lead to nothing that a reader could take for a selected file.
    const links = all.filter((link) => patterns.selects(link) || canSelectIn(link));
    const invalid = [...files.filter(hasInvalidName).filter(patterns.selects), ...links.filter(hasInvalidName)];
    for (const place of invalid)
        unreadable.set(place, INVALID_NAME);
    const problems = [...unreadable].map(([place, error]) => unreadableProblem(place, error));
    for (const link of links)
        if (!unreadable.has(link))
            problems.push(...(await findLinkProblems(root, link, patterns)));
    if (problems.length > 0)
        throw new GateError(problems);
    const byDecision = Object.groupBy(files.toSorted(), (file) => patterns.decide(file));
    const { selected = [], excluded = [], 'left out': leftOut = [], unmatched = [] } = byDecision;
    // Searched folders are those in which a line can select a file directly, not those above them.
    const isInSearchedFolder = (file) => patterns.search(foldersAbove(file)[0] ?? '') === 'here';
    const unchecked = [...leftOut.filter(isMedia), ...unmatched.filter(isMedia).filter(isInSearchedFolder)].toSorted();
    const elsewhere = isDryRun || selected.length === 0 ? await describeElsewhere(root, patterns) : [];
    return {
        files: selected.map((file) => ({ path: file, absolutePath: external_node_path_.join(root, file) })),
        unchecked,
        leftOut: leftOut.filter((file) => !isMedia(file)).length,
        notices: [
            ...patterns
                .idle([...selected, ...excluded, ...leftOut])
                .map((line) => `The pattern "${line}" of the input \`files\` matches no file.`),
            ...describeFolders(patterns, [...selected, ...unchecked]),
            ...elsewhere,
        ],
    };
}
/** The names at the top of the checkout, without `.git`. */
function foldersAndFiles(root) {
    return (0,external_node_fs_.readdirSync)(root, { withFileTypes: true }).flatMap((entry) => entry.name === '.git' ? [] : entry.name + (entry.isDirectory() ? '/' : ''));
}
/** Notices about folders such as `x.svg`: a `!` line such as `!**\/*.svg` does not exclude the files in them. */
function describeFolders(patterns, files) {
    const folders = [...new Set(files.flatMap(foldersAbove))].toSorted();
    return folders
        .filter((folder) => isFileName(folder) && patterns.decide(folder) === 'excluded')
        .map((folder) => `The files in the folder ${folder} are not excluded: a \`!\` line that ends in a file extension matches files only. To exclude them, add the line \`${exclusionOf(folder)}\` to the input \`files\`.`);
}
/**
 * "12 media files elsewhere: assets/ (7), content/ (5)": the media that the default patterns would select and no pattern
 * matches, by top-level folder.
 */
async function describeElsewhere(root, patterns) {
    const defaults = new FilePatterns(DEFAULT_PATTERNS);
    const { files } = await listBelow(root, '', (folder) => defaults.search(folder) !== 'nowhere');
    const missed = files.filter((file) => defaults.selects(file) && patterns.decide(file) === 'unmatched');
    if (missed.length === 0)
        return [];
    const folders = [...Map.groupBy(missed.toSorted(), (file) => /^[^/]+(?=\/)/.exec(file)?.[0] ?? '.')]
        .toSorted(([, some], [, others]) => others.length - some.length)
        .map(([folder, { length }]) => `${folder}/ (${length})`);
    return [
        `${plural(missed.length, 'media file')} elsewhere: ${formatList(folders)}. To check one of these folders, add it to the input \`files\`.`,
    ];
}
/** For the log: "12 files to check". */
function describeSearch({ files, leftOut }) {
    const others = `; ${plural(leftOut, 'other file')} matched and left out: no media by name, and no line names them`;
    return `${plural(files.length, 'file')} to check${leftOut > 0 ? others : ''}`;
}
/** @param isExpected whether `if-no-files-found: ignore` is set already */
function noFilesMatch({ userLines }, searchRoot, isExpected) {
    const lines = userLines.length > 0 ? formatList(userLines.map((line) => `\`${line}\``)) : 'the usual media extensions';
    const places = formatList(foldersAndFiles(searchRoot).filter((name) => name.endsWith('/'))) || 'none';
    const message = `No file matches the input \`files\` (${lines}), so nothing was checked. Folders here: ${places}.`;
    const otherwise = isExpected ? 'there is nothing to do' : 'set `if-no-files-found: ignore`';
    const fix = `If there should be media, correct \`files\` or \`working-directory\`. If not, ${otherwise}.`;
    return forOwner('no-files', message, fix);
}
/** A missing checkout is an error: otherwise no file would match, and the run would end as if there were no media. */
const NOT_CHECKED_OUT = forOwner('checkout', 'The workspace is empty: there are no files to check.', 'Run `actions/checkout` in a step before this one.');

;// CONCATENATED MODULE: ./lib/src/media/inspect.js







/** Hashing uses one core. Reading a few files at a time keeps the disk busy meanwhile. */
const CONCURRENCY = 4;
const MIB = 1024 * 1024;
/** `text` is the documented limit. `bytes` takes its units as binary: the service decides on sizes in between. */
const LIMITS = {
    video: { text: 'videos may have 5 GB', bytes: 5 * 1024 * MIB },
    audio: { text: 'audio files may have 500 MB', bytes: 500 * MIB },
    image: { text: 'images may have 50 MB', bytes: 50 * MIB },
    document: { text: 'documents may have 100 MB', bytes: 100 * MIB },
};
/** Inspects every file before anything is sent, and returns all problems at once. */
async function inspect(found, signal) {
    const each = await concurrently(found, CONCURRENCY, async (file) => {
        signal?.throwIfAborted();
        try {
            return await withFile(file, async (handle, stats) => await inspectFile(file, handle, stats));
        }
        catch (error) {
            if (error instanceof GateError)
                return { problems: error.causes };
            throw error;
        }
    });
    const files = each.flatMap((one) => one.files ?? []);
    const pointers = each.flatMap((one) => one.pointers ?? []);
    return {
        files,
        pointers,
        problems: [...each.flatMap((one) => one.problems ?? []), ...conflictingTypes([...files, ...pointers])],
        warnings: each.flatMap((one) => one.warnings ?? []),
    };
}
async function inspectFile(file, handle, stats) {
    const { path } = file;
    const { size } = stats;
    const refuse = (message, fix) => new GateError(preFlight(path, message, fix));
    if (size === 0)
        throw refuse('The file is empty.', `Add the content of ${FILE}, or remove it`);
    const { pointer, type: detected } = await sniff(file, handle);
    if (pointer)
        return { pointers: [pointer] };
    const named = typeOfName(path);
    const type = decideType(path, named, detected);
    const isMismatch = named && !isSameFamily(named, type);
    const mismatch = `The name says ${named?.mime}, but the content is ${type.mime}.`;
    // Office saves a document that has a password in the container of its old formats.
    if (isMismatch && type.family === 'cfb' && named.family.startsWith('zip/')) {
        const fix = `Save ${FILE} without a password, or in the format of .${named.extension}`;
        throw refuse('The file has a password, or is of an old version of Office.', fix);
    }
    // A video, audio file or image in another format of its category is sent as what its bytes are, with a warning. Any
    // other mismatch is refused.
    const isDocument = (type.category ?? 'document') === 'document';
    if (isMismatch && (named.category !== type.category || isDocument))
        throw refuse(mismatch, `Give ${FILE} the extension of its content (\`.${type.extension}\`), or replace it`);
    const limit = type.category && LIMITS[type.category];
    if (limit && size > limit.bytes)
        throw refuse(`The file has ${formatBytes(size)}, but ${limit.text}.`, `Make ${FILE} smaller`);
    const sha256 = await hashBytes(handle, size);
    if (stampOf(stats) !== stampOf(await handle.stat()))
        throw new GateError(changedProblem(path));
    const warnings = isMismatch ? [`${path}: ${mismatch} It is treated as a .${type.extension} file.`] : [];
    return { files: [{ ...file, type, sha256, size, stamp: stampOf(stats) }], warnings };
}
/**
 * The bytes of a file decide its type. The name decides inside one family, and if the bytes show nothing. But a video
 * with the extension of an audio file stays a video: the analysis of a video includes its sound.
 */
function decideType(path, named, detected) {
    if (!detected)
        return named ?? { ...typeOfBytes('bin', 'application/octet-stream'), extension: extensionOf(path) };
    if (!named || !isSameFamily(named, detected))
        return detected;
    return named.category === 'audio' && detected.category === 'video' ? detected : named;
}
/** Detection may recognise an Office document, such as `zip/spreadsheetml`, only as an archive, `zip`. */
function isSameFamily(named, detected) {
    return `${named.family}/`.startsWith(`${detected.family}/`);
}
/** @param size how many bytes to hash: the file may be growing */
async function hashBytes(handle, size) {
    const hash = (0,external_node_crypto_.createHash)('sha256');
    const options = { start: 0, end: size - 1, highWaterMark: MIB, autoClose: false };
    for await (const chunk of handle.createReadStream(options))
        hash.update(chunk);
    return hash.digest('hex');
}
/** The same bytes are sent once, under one type. */
function conflictingTypes(files) {
    const typed = files.flatMap(({ path, sha256, type }) => (type ? { path, sha256, mime: type.mime } : []));
    return [...Map.groupBy(typed, ({ sha256 }) => sha256).values()].flatMap(([first, ...others]) => {
        const other = others.find(({ mime }) => mime !== first?.mime);
        if (!first || !other)
            return [];
        const message = `The same bytes are in ${first.path}, as another type (${first.mime}; here ${other.mime}).`;
        return [preFlight(other.path, message, `Give ${FILE} and \`${first.path}\` the same extension`)];
    });
}

;// CONCATENATED MODULE: ./lib/src/service/analysis.js
/** What the service says about a file now. */
const OUTCOMES = (/* unused pure expression or super */ null && ([
    // Its asset is complete, and every issue was read.
    'result',
    // An outage, a rate limit or a deadline kept the issues of an earlier analysis from being read again, and nothing that was
    // read contradicts them.
    'last-known',
    // The service is at work on it.
    'working',
    // An outage, a refusal, a rate limit or a deadline kept it from being read.
    'unread',
    // A fact is missing, or two contradict each other.
    'unclear',
    // It failed, and the list allows a retry.
    'retryable',
    // It failed for good.
    'failed',
    // The service no longer has its submission.
    'missing',
]));
/** Whether a file is judged. */
function isJudged({ outcome }) {
    return outcome === 'result' || outcome === 'last-known';
}

;// CONCATENATED MODULE: ./lib/src/report/report.js


/** This version is raised when a field is removed or changes its meaning, but not when a field is added. */
const JSON_VERSION = 9;
/** Renders report.json, for programs: the report itself, without undefined fields. */
function renderJson(report) {
    return `${JSON.stringify({ schemaVersion: JSON_VERSION, ...report }, undefined, 1)}\n`;
}
// The order of all reports, and the groups and numbers of their issues and files.
/** Whether somebody has accepted the issue. */
function isAccepted({ standing }) {
    return standing === 'waived' || standing === 'ignored';
}
/** What went wrong. The reason why a run was skipped is no problem, and the headline names it. */
function problemsOf({ causes, verdict, reason }) {
    return causes.filter((cause) => verdict !== 'skipped' || cause.reason !== reason);
}
/** Counts files, not contents: the same bytes at two paths are two files. */
function countFiles(contents) {
    return contents.reduce((sum, { paths }) => sum + paths.length, 0);
}
function countBySeverity(issues) {
    const counts = { CRITICAL: 0, MAJOR: 0, MINOR: 0, INFO: 0 };
    for (const { severity } of issues)
        counts[severity] += 1;
    return counts;
}
/** "2 CRITICAL", "1 MAJOR": the severities that occur, most severe first. */
function formatSeverities(issues) {
    const counts = countBySeverity(issues);
    return SEVERITIES.filter((severity) => counts[severity] > 0).map((severity) => `${count(counts[severity])} ${severity}`);
}
/** The order of all reports: what stops the check, then what the pull request changes, then severity, then the path. */
function inReportOrder(items, placeOf) {
    const keyed = items.map((item) => {
        const { effectRank = 0, isChanged, issue, path = '\uffff' } = placeOf(item);
        const severity = issue ? severityRank(issue.severity) : SEVERITIES.length;
        // Each rank is one digit. Code units decide, so that the order does not depend on the machine's language.
        return { item, key: [effectRank, isChanged ? 0 : 1, severity, path].join(' ') };
    });
    return keyed
        .toSorted((one, other) => (one.key < other.key ? -1 : Number(one.key > other.key)))
        .map(({ item }) => item);
}
/** Whether an issue stops the check, is active but does not stop it, or does not count. */
const EFFECTS = ['Stops the check', 'Counts', 'Does not count'];
function effectOnCheck({ standing, failsGate }) {
    if (standing !== 'active')
        return 'Does not count';
    return failsGate ? 'Stops the check' : 'Counts';
}
/** All issues of all contents: issues that stop the check, then other active issues, then issues that do not count. */
function listIssues({ contents }) {
    const listed = contents.flatMap((content) => content.issues.map((issue) => ({ content, issue })));
    const numbers = new Map();
    return inReportOrder(listed, ({ content: { isChanged, paths }, issue }) => {
        return { effectRank: EFFECTS.indexOf(effectOnCheck(issue)), isChanged, issue, path: paths[0] };
    }).map((entry) => {
        // The id has the reference number, so that people can read and type it. Two issues may have the same number.
        const name = `issue-${entry.issue.referenceNumber ?? 'unnumbered'}`;
        const number = (numbers.get(name) ?? 0) + 1;
        numbers.set(name, number);
        return { ...entry, id: number === 1 ? name : `${name}-${number}` };
    });
}
/** The issues of `listIssues` with this effect, in the same order. */
function issuesWith(effect, report) {
    return listIssues(report).filter(({ issue }) => effectOnCheck(issue) === effect);
}

;// CONCATENATED MODULE: ./lib/src/report/phrases.js




/** The words for an issue, a file and an actor, so that each has the same name in every report. */
/** Returns the date of an ISO time, and any other text unchanged. */
function day(time) {
    return /^\d{4}-\d\d-\d\dT/.test(time) ? time.slice(0, 10) : time;
}
/** The marks differ in shape as well as in colour, for readers who cannot distinguish the colours. */
const SIGNS = {
    pass: { mark: '✅', word: 'PASS' },
    fail: { mark: '❌', word: 'FAIL' },
    error: { mark: '🛑', word: 'ERROR' },
    forgiven: { mark: '⚠️', word: 'NOT CHECKED' },
    skipped: { mark: '⏭️', word: 'NOT CHECKED' },
    sandbox: { mark: '🧪', word: 'SANDBOX' },
};
/** The verdict that readers see. A pass in a sandbox and an error that lets the check pass have separate signs. */
function signOf({ verdict, mode, isPassing }) {
    const isForgiven = verdict === 'error' && isPassing;
    const name = verdict === 'pass' && mode === 'sandbox' ? 'sandbox' : isForgiven ? 'forgiven' : verdict;
    return { name, ...SIGNS[name] };
}
/** The verdict and its reason in one sentence that can be read alone. */
function title(report) {
    return `${signOf(report).word}: ${report.headline}`;
}
/** Stands before the names of media that were not checked. */
const NOBODY_LOOKED = 'Nobody has looked at these media:';
/** What is wrong, in one line. */
function headlineOf({ headline, summary }) {
    return headline || summary;
}
/** The words for an issue. A text is empty if there is nothing to say. */
function describeIssue(issue) {
    const { standing, referenceNumber, status, waiver, whyNotWaived } = issue;
    const effect = effectOnCheck(issue);
    return {
        number: referenceNumber === undefined ? '' : `#${referenceNumber}`,
        /** How an issue affects the check. This is not the status of the issue at the service. */
        effect: standing === 'active' ? effect : `${effect}: ${standing}`,
        status: status.toLowerCase().replaceAll('_', ' ') || 'none',
        /** Who has waived the issue, or why it is not waived. */
        waiver: waiver ? `${waiver.owner} until ${waiver.expires}: ${waiver.reason}` : (whyNotWaived ?? ''),
    };
}
/** The words for a content. In a dry run, they say what a real run would do. */
function describeContent(content, { mode, reason }) {
    const { category, mime, size, versionNumber, versionCount, issues, source, sourceReason } = content;
    const version = [versionNumber, versionCount].filter((number) => number !== undefined).join(' of ');
    const isDryRun = reason === 'dry-run';
    const planned = `would be ${source === 'not sent' ? 'sent' : source}`;
    const memory = content.isLastKnown ? `; last known issues, from ${day(content.analysedAt ?? '')}` : '';
    const origin = `${isDryRun ? planned : source}: ${sourceReason}${memory}`;
    const judged = issues.length === 0 ? 'Without issues' : plural(issues.length, 'issue');
    const analysed = mode === 'sandbox' ? 'Not analysed' : judged;
    return {
        version,
        kind: [category ?? mime, formatBytes(size), ...(version === '' ? [] : [`version ${version}`])].join(', '),
        /** "sent: new", "reused: unchanged since 2026-11-01" or, in a dry run, "would be sent: new". */
        origin,
        result: isDryRun ? origin : isJudged(content) ? analysed : 'Not judged',
    };
}
const UNTOUCHED = 'not changed by this pull request';
const ACTORS = {
    author: 'Author of the change',
    'file owner': 'Owner of the file',
    'workflow owner': 'Owner of the workflow',
    'account owner': 'Owner of the service account',
    anyone: 'Anyone with write access',
};
function nameActor({ actor }) {
    return ACTORS[actor];
}
/** All steps in one line, each with the person who can do the step. */
function describeSteps(steps) {
    return steps.map((step) => `${nameActor(step)}: ${step.text}`).join(' ');
}
/** What the author of a change reads who can do nothing but hand the report to somebody else. Empty for all others. */
function describeHandover({ run, isPassing, nextSteps: [first] }) {
    const isTheirs = first?.actor === 'workflow owner' || first?.actor === 'account owner';
    if (run.subject !== 'pull request' || isPassing || !isTheirs)
        return '';
    return 'There is nothing to fix in your files: send this link to the people named here.';
}
/** Entries of a waivers file that accept an issue, one for each path, with blanks to be filled in. */
function waiversToCopy({ issue, content }) {
    const rule = yaml(issue.ruleCode);
    return content.paths
        .map((path) => `- rule: ${rule}\n  path: ${yaml(path)}\n  owner:\n  reason:\n  expires:\n`)
        .join('');
}
function repositoryUrl({ serverUrl, repository }, page = '') {
    return repository === '' ? undefined : `${serverUrl}/${repository}${page}`;
}
function fileAtCommitUrl(run, path) {
    // GitHub removes the merge commit of a pull request after a while, so the link uses the head commit.
    const commit = run.pullRequest?.headCommit ?? run.commit;
    return repositoryUrl(run, `/blob/${commit}/${encodePath(run.folder + path)}`);
}
/** The path as a relative URI in which no character has a special meaning. */
function encodePath(path) {
    return path.toWellFormed().split('/').map(encodeURIComponent).join('/');
}
/** A link in HTML, which Markdown allows. Returns only the text if the address is missing or not safe to follow. */
function phrases_link(url, inner) {
    const href = url === undefined ? undefined : safeHref(url);
    return href === undefined ? inner : `<a href="${html(href)}">${inner}</a>`;
}
/** What was checked, from the repository to the commit, and the run, each with its address. */
function runLinks({ run, judgedAt }) {
    const { pullRequest } = run;
    const branch = run.branch.replace(/^refs\/(?:heads|tags)\//, '');
    const when = judgedAt.replace(/^(.{10})T(.{5}).*$/, '$1 $2 UTC');
    const parts = [
        [run.repository, repositoryUrl(run)],
        pullRequest ? [`pull request #${pullRequest.number}`, pullRequest.url] : [branch, undefined],
        [run.commit && `commit ${run.commit.slice(0, 7)}`, repositoryUrl(run, `/commit/${run.commit}`)],
        [`run of ${when}`, run.url],
    ];
    return parts.filter(([text]) => text !== '');
}

;// CONCATENATED MODULE: ./lib/src/report/annotations.js




/** The number of annotations of each level that GitHub shows for a step. It silently drops all further annotations. */
const MAX_PER_LEVEL = 10;
/** The runner cuts longer messages. */
const MAX_MESSAGE_LENGTH = 4_096;
const MAX_TITLE_LENGTH = 200;
const LEVELS = ['error', 'warning', 'notice'];
/**
 * Annotates the first issue that stops the check and the first cause, then the others that stop it, then the issues that do
 * not. GitHub shows a limited number of annotations of each level per step, so the last one of a level counts the rest.
 *
 * @param spent how many annotations of each level this step has printed already
 */
function annotations(report, spent) {
    const stops = issuesWith('Stops the check', report);
    // The first cause is among the errors however many issues there are, because workflows look for its title.
    const items = [
        ...stops.slice(0, 1),
        ...report.causes.slice(0, 1),
        ...stops.slice(1),
        ...report.causes.slice(1),
        ...issuesWith('Counts', report),
    ];
    return LEVELS.flatMap((level) => {
        // One error is kept free: a step with errors also prints the error that fails the step.
        const room = MAX_PER_LEVEL - (level === 'error' ? 1 : 0) - spent[level];
        if (room <= 0)
            return [];
        const ofLevel = items.filter((item) => levelOf(item, report) === level);
        const shown = ofLevel.length > room ? ofLevel.slice(0, room - 1) : ofLevel;
        const texts = shown.map((item) => 'issue' in item ? issueAnnotation(item, report) : causeAnnotation(item, report));
        const left = ofLevel.length - shown.length;
        return [...texts, ...(left > 0 ? [restAnnotation(left, report)] : [])].map((text) => ({ level, ...text }));
    });
}
function levelOf(item, { isPassing }) {
    if (!('issue' in item))
        return isPassing ? 'warning' : 'error';
    if (item.issue.failsGate)
        return 'error';
    return item.issue.severity === 'INFO' ? 'notice' : 'warning';
}
function restAnnotation(left, { reportUrl = 'the report files of this run' }) {
    const title = `${count(left)} more`;
    return { title, message: `${title} of this level are not shown here. All of them are in ${reportUrl}` };
}
/** GitHub's log prints only the message, so it has the path. Workflows read how the title begins. */
function causeAnnotation(cause, { verdict, run }) {
    const { path, steps } = cause;
    const start = path === undefined ? '' : `${truncate(path, 1_000)}: `;
    return {
        title: titleOf(`${verdict === 'skipped' ? 'Not checked' : 'Not judged'}: ${cause.message}`),
        message: message([start + cause.message, cause.detail, sentenceIfUntouched(cause), describeSteps(steps)]),
        ...(path !== undefined && { path: run.folder + path }),
    };
}
function issueAnnotation({ content, issue }, report) {
    const [path, ...others] = content.paths;
    const { severity, ruleCode, summary, whyNotWaived, url, reasoning } = issue;
    const name = [severity, truncate(ruleCode, 200), describeIssue(issue).number].filter(Boolean).join(' ');
    return {
        title: titleOf(`${severity}: ${headlineOf(issue)}`),
        message: message([
            `${truncate(path, 1_000)}: ${name}: ${summary}`,
            sentenceIfUntouched(content),
            others.length > 0 && `The same bytes are also in ${formatList(others)}`,
            whyNotWaived,
            url,
            reasoning,
        ]),
        path: report.run.folder + path,
    };
}
function titleOf(text) {
    return truncate(visibleLines(text.replace(/\s+/g, ' ')), MAX_TITLE_LENGTH);
}
function sentenceIfUntouched({ isChanged }) {
    return isChanged === false && `The file is ${UNTOUCHED}.`;
}
function message(lines) {
    return truncate(visibleLines(lines.filter(Boolean).join('\n')), MAX_MESSAGE_LENGTH);
}

;// CONCATENATED MODULE: ./lib/src/report/summary.js





/** GitHub drops the whole summary if it has more than 1 MiB. */
const MAX_BYTES = 1_048_576 - 8_192;
/** GitHub allows 65,536 characters. A text never has fewer bytes than characters, so bytes are a safe measure. */
const MAX_COMMENT_BYTES = 65_536;
/** These limits keep a summary within two screens, however large the run. */
const MAX_STOPPING_FILES = 15;
const MAX_ISSUES = 3;
const MAX_STEPS = 5;
const MAX_ROWS = 10;
/** A row of the table with a text of this length takes two lines at most. */
const MAX_CELL_LENGTH = 60;
/** The list of files is folded. */
const MAX_FILES = 50;
const SEVERITY_MARKS = { CRITICAL: '🔴', MAJOR: '🟠', MINOR: '🟡', INFO: '🔵' };
/** Renders the job summary: the comment's text, then notices and all files. */
function renderSummary(report) {
    return `${fitInto(MAX_BYTES, [...mainParts(report), noticeList(report), fileList(report)], report)}\n`;
}
/** Renders the pull-request comment, which begins with the marker. */
function renderComment(report, marker) {
    return fitInto(MAX_COMMENT_BYTES, [marker, ...mainParts(report)], report);
}
const CUT = 'There is no room for more here. <code>report.html</code> has everything.';
/** Joins the parts that are not empty, and the receipt. If that is too long, the last parts are left out. */
function fitInto(maxBytes, parts, report) {
    const wanted = parts.filter((part) => part !== '');
    const first = (number) => {
        const cut = number < wanted.length ? [CUT] : [];
        return [...wanted.slice(0, number), ...cut, '---', receipt(report)].join('\n\n');
    };
    let number = wanted.length;
    while (number > 0 && Buffer.byteLength(first(number)) > maxBytes)
        number--;
    return first(number);
}
function mainParts(report) {
    const stops = issuesWith('Stops the check', report);
    return [
        `## ${signOf(report).mark} ${sentence(title(report), 400)}`,
        [prose(report.consequence), openReport(report)].filter(Boolean).join(' · '),
        stoppingFiles(report),
        stepList(report),
        ...stops.slice(0, MAX_ISSUES).map((listed) => issueDetails(listed, report)),
        uncheckedFiles(report),
        otherIssues(report),
    ];
}
/** No link to a page that lists nothing. */
function openReport(report) {
    const { reportUrl } = report;
    const isEmpty = report.contents.length === 0 && problemsOf(report).length === 0;
    return reportUrl === undefined || isEmpty ? '' : `<b>${phrases_link(reportUrl, 'Open the report')}</b>`;
}
/** The files with an issue that stops the check, and those that could not be judged. The author's own come first. */
function stoppingFiles(report) {
    const explained = inReportOrder([...filesWithIssues(report), ...problems(report)], ({ isChanged, paths, issues }) => {
        return { isChanged, issue: issues[0], path: paths[0] };
    });
    const files = [...explained, ...unexplainedFiles(report)];
    const rows = files.slice(0, MAX_STOPPING_FILES).map((file) => {
        const { analysedAt, what, issues } = file;
        const analysed = analysedAt === undefined ? '' : `, analysed ${line(day(analysedAt))}`;
        const note = file.isChanged === false ? `<br><sub>${UNTOUCHED}${analysed}</sub>` : '';
        return [
            pathLinks(file.paths, report) || 'the whole run',
            what + note,
            issues.length === 0 ? '–' : count(issues.length),
        ];
    });
    const what = report.isPassing ? 'What happened' : 'What stops the check';
    return withRest(table(['File', what, 'Issues'], rows), files.length - rows.length);
}
function filesWithIssues(report) {
    const groups = Map.groupBy(issuesWith('Stops the check', report), ({ content }) => content);
    return Array.from(groups, ([content, listed]) => {
        const issues = listed.map(({ issue }) => issue);
        const worst = issues.slice(0, 1).map((one) => `${nameSeverity(one)}: ${line(headlineOf(one), MAX_CELL_LENGTH)}`);
        return { ...content, what: worst.join(''), issues };
    });
}
/** The problems, without what the headline says already. */
function problems(report) {
    const causes = problemsOf(report);
    const isAlone = report.verdict !== 'fail' && causes.length === 1;
    return causes.flatMap(({ path, isChanged, message, detail }) => {
        const what = [isAlone && path === undefined ? '' : message, detail].filter(Boolean).join(' ');
        const paths = path === undefined ? [] : [path];
        return what === '' ? [] : [{ paths, isChanged, what: sentence(what), issues: [] }];
    });
}
/** The files that another problem kept from being judged. In a run that was skipped, nobody expects a verdict. */
function unexplainedFiles({ verdict, causes, contents }) {
    const explained = new Set(causes.map(({ path }) => path));
    return contents
        .filter((content) => verdict !== 'skipped' && !isJudged(content) && !content.paths.some((path) => explained.has(path)))
        .map(({ paths, isChanged }) => ({ paths, isChanged, what: 'Not judged', issues: [] }));
}
function stepList(report) {
    const { nextSteps, contact, run } = report;
    if (nextSteps.length === 0)
        return '';
    const handover = describeHandover(report);
    const items = nextSteps.slice(0, MAX_STEPS).map((step) => {
        const text = sentence(step.text);
        return `- **${nameActor(step)}:** ${step.actor === 'anyone' ? phrases_link(run.url, text) : text}`;
    });
    const parts = [
        handover && phrases_link(run.url, prose(handover)),
        withRest(items.join('\n'), nextSteps.length - items.length),
        contact && `Questions: ${phrases_link(contact, line(contact))}`,
    ];
    return section('What to do', parts.filter(Boolean).join('\n\n'));
}
function nameSeverity({ severity, isNew }) {
    return `${SEVERITY_MARKS[severity]} <b>${severity}</b>${isNew ? ' <b>new</b>' : ''}`;
}
/** An issue, unfolded. Its summary line names the issue and the files. */
function issueDetails(listed, report) {
    const { id, content, issue } = listed;
    const { number, waiver } = describeIssue(issue);
    const { waiversFile, reportUrl } = report;
    const entry = html(waiversToCopy(listed).trimEnd());
    const texts = [
        issue.headline && paragraph(issue.summary),
        issue.reasoning && paragraph(issue.reasoning),
        waiversFile && `<b>Not waived:</b> ${prose(waiver || `\`${waiversFile}\` has no entry for it.`)}`,
    ];
    const parts = [
        `<p>${texts.filter(Boolean).join('<br>')}</p>`,
        precedentList(issue.precedents),
        waiversFile && `<details><summary>An entry to copy</summary><pre lang="yaml"><code>${entry}</code></pre></details>`,
    ];
    // The number links to the service, so it is separate from the headline, which links to the report page.
    const atService = phrases_link(issue.url, markdown(number) || (issue.url ? 'at the service' : ''));
    const rule = `<code>${line(issue.ruleCode, 80)}</code>`;
    const headline = phrases_link(reportUrl && `${reportUrl}#at=${id}`, line(headlineOf(issue)));
    const name = [nameSeverity(issue), atService, rule, headline, `in ${pathLinks(content.paths, report)}`];
    return `<details open><summary>${name.filter(Boolean).join(' ')}</summary><blockquote>${parts.filter(Boolean).join('')}</blockquote></details>`;
}
function precedentList(all) {
    if (all.length === 0)
        return '';
    const items = all.slice(0, MAX_ROWS).map((one) => {
        const name = phrases_link(one.url, line(one.title || one.url || 'untitled'));
        const decision = one.decision ? `: ${line(one.decision, 500)}` : '';
        return `<li>${name}${decision}${one.date ? ` (${line(day(one.date))})` : ''}</li>`;
    });
    const hidden = all.length - items.length;
    const more = hidden > 0 ? ` and ${count(hidden)} more` : '';
    return `<p><b>Precedents</b>${more}</p><ul>${items.join('')}</ul>`;
}
function uncheckedFiles(report) {
    const { unchecked: paths } = report;
    if (paths.length === 0)
        return '';
    const list = pathLinks(paths, report, MAX_ROWS);
    return section(`Not checked (${count(paths.length)})`, `${NOBODY_LOOKED} ${list}`);
}
/** One line with the number of all issues that are not shown above. */
function otherIssues(report) {
    const stops = issuesWith('Stops the check', report).length;
    const others = formatSeverities(issuesWith('Counts', report).map(({ issue }) => issue));
    const uncounted = issuesWith('Does not count', report).length;
    const parts = [
        stops > MAX_ISSUES && `${count(stops - MAX_ISSUES)} more stop the check`,
        others.length > 0 && `${others.join(', ')} do not stop it`,
        uncounted > 0 && `${count(uncounted)} do not count`,
    ].filter(Boolean);
    return parts.length === 0 ? '' : `**${stops > 0 ? 'Other issues' : 'Issues'}:** ${parts.join(' · ')}`;
}
function noticeList({ notices }) {
    const shown = notices.slice(0, MAX_ROWS).map((notice) => `- ${sentence(notice)}`);
    return section('Also good to know', withRest(shown.join('\n'), notices.length - shown.length));
}
/** Folded, because the issues and problems above name the files that matter. */
function fileList(report) {
    const { contents } = report;
    const rows = contents.slice(0, MAX_FILES).map((content) => {
        const { kind, origin, result } = describeContent(content, report);
        return [pathLinks(content.paths, report), line(kind), line(result === origin ? origin : `${result}; ${origin}`)];
    });
    const list = withRest(table(['File', 'Kind', 'Result'], rows), contents.length - rows.length);
    return folded(`Files: ${count(countFiles(contents))}`, list);
}
function receipt(report) {
    const { counts, cost, verdict } = report;
    const facts = [`${plural(counts.filesMatched, 'file')} matched`, prose(cost), `verdict ${verdict}`];
    const links = runLinks(report).map(([text, url]) => phrases_link(url, line(text)));
    return [...facts, ...links].join(' · ');
}
/**
 * Texts from outside are cut to a line, a sentence of ours that quotes them, or a paragraph, because the full report has
 * them whole. They are cut before they are escaped, so that a huge text takes no time.
 */
function line(text, max = 200) {
    return markdown(truncate(text, max));
}
function sentence(text, max = 1_000) {
    return prose(truncate(text, max));
}
function paragraph(text) {
    return markdownLines(truncate(text, 4_000));
}
/** GitHub renders Markdown inside `details` only between empty lines. */
function folded(name, text) {
    return text === '' ? '' : `<details><summary>${name}</summary>\n\n${text}\n\n</details>`;
}
function section(name, text) {
    return text === '' ? '' : `### ${name}\n\n${text}`;
}
/** Adds a line that counts what is left out, if anything is. */
function withRest(text, hidden) {
    return hidden > 0 ? `${text}\n\nand ${count(hidden)} more in <code>report.html</code>` : text;
}
/** Returns an empty text if there are no rows. */
function table(columns, rows) {
    if (rows.length === 0)
        return '';
    return [columns, columns.map(() => ':--'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}
/** Links to the first `max` files, and counts the other files. */
function pathLinks(paths, { run }, max = 3) {
    const links = paths.slice(0, max).map((path) => phrases_link(fileAtCommitUrl(run, path), `<code>${line(path)}</code>`));
    return formatList([...links, ...paths.slice(max)], max);
}

;// CONCATENATED MODULE: ./lib/src/publish/comment.js





/** Writes the gate's comment on the pull request. If that fails, logs a warning (for a fork, a note): the verdict stays. */
async function writeComment(report, options) {
    const { inputs, context, log } = options;
    const { pullRequest } = context;
    if (inputs.comment === 'never' || !pullRequest)
        return;
    try {
        await syncComment(report, pullRequest, options);
    }
    catch (error) {
        if (error instanceof Interruption)
            return;
        const isFork = context.event === 'pull_request' && pullRequest.isFork;
        if (isFork)
            log.info(`${messageOf(error)} GitHub gives pull requests from forks a token that cannot write.`);
        else if (error instanceof GitHubError)
            log.warning(`${error.message} ${error.fix} The verdict stands.`);
        else
            log.warning(`Could not write the comment: ${messageOf(error)}. The verdict stands.`);
    }
}
/**
 * Creates the comment if it is wanted, and updates an existing one even if it is not. Does neither if a newer commit
 * was pushed, or for a pass against another base branch. If two runs at the same time have each created a comment,
 * updates both, so that no outdated comment remains.
 */
async function syncComment(report, { number }, { inputs, context, api }) {
    if (number === undefined)
        throw new Error('for a fork, GitHub does not say which pull request a `workflow_run` belongs to. If you want a comment, run the gate on `pull_request_target`');
    // A later run recognises the comment by this marker and by the comment's author.
    const marker = `<!-- media-compliance-gate ${gateId({ ...inputs, ...context })} -->`;
    const { items } = await api.comments(number);
    const own = await findOwn(items, marker, api);
    // An outage that is forgiven, or a missing key, lets the check pass although files were not checked.
    const isUnchecked = report.verdict === 'error' || report.reason === 'no-key';
    const isWanted = inputs.comment === 'always' || !report.isPassing || isUnchecked;
    if (own.length === 0 && (!isWanted || inputs.dryRun))
        return;
    const now = await api.pullRequest(number);
    const isOutdated = now.headSha !== context.eventCommit;
    // A pass against another base branch may have left files out.
    if (isOutdated || (report.verdict === 'pass' && now.baseBranch !== context.baseBranch))
        return;
    const body = renderComment(report, marker);
    for (const { id } of own)
        await api.updateComment(id, body);
    if (own.length === 0)
        await api.createComment(number, body);
}
/**
 * Anybody can write a comment that begins with our marker, so only a comment by the account of this token counts.
 * GitHub is asked for that account only if a comment has the marker.
 */
async function findOwn(comments, marker, api) {
    const marked = comments.filter(({ body }) => body?.startsWith(marker));
    if (marked.length === 0)
        return [];
    const own = await api.tokenLogin();
    // The author of an app's comments is `name[bot]`, but the API may call the same app `name`.
    const byBot = marked.filter(({ user }) => user?.login === `${own}[bot]`);
    return byBot.length > 0 ? byBot : marked.filter(({ user }) => user?.login === own);
}

;// CONCATENATED MODULE: ./lib/src/report/cleared.js


/**
 * The files whose result a live run has read and that have no issue at or above the threshold which is neither waived
 * nor closed at the service. A file judged by its last known issues is not cleared.
 */
function clearedFiles({ mode, verdict, contents, policy }) {
    if (mode !== 'live' || verdict === 'skipped')
        return [];
    const files = contents
        .filter(({ outcome }) => outcome === 'result')
        .filter(({ issues }) => !issues.some((issue) => !isAccepted(issue) && isAtLeast(issue.severity, policy.failOnSeverity)))
        .flatMap((content) => content.paths.map((path) => ({ path, content })));
    return inReportOrder(files, ({ path }) => ({ path }));
}
/** Renders cleared.sha256, a file for `sha256sum --check`. */
function renderCleared(report) {
    const lines = clearedFiles(report).map(({ path, content: { sha256 } }) => {
        // A name that would break the line is escaped. A backslash before the hash marks an escaped name.
        const name = path.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
        return `${name === path ? '' : '\\'}${sha256}  ${name}\n`;
    });
    return lines.join('');
}
/**
 * Renders predicate.json: the statement about the cleared files, to be signed as an in-toto attestation whose subjects
 * are the files in cleared.sha256.
 */
function renderPredicate(report) {
    const { gate, judgedAt: timeVerified, verdict, policy } = report;
    const files = clearedFiles(report);
    const predicate = {
        schemaVersion: 2,
        verifier: { name: 'Media Compliance Gate', gate },
        timeVerified,
        verdict,
        policy,
        counts: { filesMatched: report.counts.filesMatched, filesCleared: files.length },
        cleared: files.map(({ path, content: { sha256, analysedAt, submissionId, assetId, versionNumber, issues } }) => ({
            name: path,
            digest: { sha256 },
            analysedAt,
            submissionId,
            assetId,
            versionNumber,
            activeIssues: countBySeverity(issues.filter(({ standing }) => standing === 'active')),
            waivers: issues.flatMap(({ waiver, ruleCode }) => (waiver ? [{ ruleCode, ...waiver }] : [])),
        })),
    };
    return `${JSON.stringify(predicate, undefined, 1)}\n`;
}

;// CONCATENATED MODULE: ./lib/src/report/page/generated.js
// Made from app/ by scripts/page-assets.ts. Do not edit: change app/ and run `npm run build`.
const SCRIPT = "(function(){var e,t,n,r,i,a,o,s,c,l,u,d,f,p,m={},h=[],g=/acit|ex(?:s|g|n|p|$)|rph|grid|ows|mnc|ntw|ine[ch]|zoo|^ord|itera/i,_=Array.isArray;function v(e,t){for(var n in t)e[n]=t[n];return e}function y(e){e&&e.parentNode&&e.parentNode.removeChild(e)}function b(t,n,r){var i,a,o,s={};for(o in n)o==`key`?i=n[o]:o==`ref`?a=n[o]:s[o]=n[o];if(arguments.length>2&&(s.children=arguments.length>3?e.call(arguments,2):r),typeof t==`function`&&t.defaultProps!=null)for(o in t.defaultProps)s[o]===void 0&&(s[o]=t.defaultProps[o]);return x(t,s,i,a,null)}function x(e,r,i,a,o){var s={type:e,props:r,key:i,ref:a,__k:null,__:null,__b:0,__e:null,__c:null,constructor:void 0,__v:o??++n,__i:-1,__u:0};return o==null&&t.vnode!=null&&t.vnode(s),s}function S(e){return e.children}function C(e,t){this.props=e,this.context=t}function w(e,t){if(t==null)return e.__?w(e.__,e.__i+1):null;for(var n;t<e.__k.length;t++)if((n=e.__k[t])!=null&&n.__e!=null)return n.__e;return typeof e.type==`function`?w(e):null}function ee(e){if(e.__P&&e.__d){var n=e.__v,r=n.__e,i=[],a=[],o=v({},n);o.__v=n.__v+1,t.vnode&&t.vnode(o),ne(e.__P,o,n,e.__n,e.__P.namespaceURI,32&n.__u?[r]:null,i,r??w(n),!!(32&n.__u),a),o.__v=n.__v,o.__.__k[o.__i]=o,ie(i,o,a),n.__e=n.__=null,o.__e!=r&&T(o)}}function T(e){if((e=e.__)!=null&&e.__c!=null)return e.__e=e.__c.base=null,e.__k.some(function(t){if(t!=null&&t.__e!=null)return e.__e=e.__c.base=t.__e}),T(e)}function E(e){(!e.__d&&(e.__d=!0)&&r.push(e)&&!D.__r++||i!=t.debounceRendering)&&((i=t.debounceRendering)||a)(D)}function D(){try{for(var e,t=1;r.length;)r.length>t&&r.sort(o),e=r.shift(),t=r.length,ee(e)}finally{r.length=D.__r=0}}function te(e,t,n,r,i,a,o,s,c,l,u){var d,f,p,g,_,v,y=r&&r.__k||h,b=t.length;for(c=O(n,t,y,c,b),d=0;d<b;d++)(p=n.__k[d])!=null&&(f=p.__i!=-1&&y[p.__i]||m,p.__i=d,v=ne(e,p,f,i,a,o,s,c,l,u),g=p.__e,p.ref&&f.ref!=p.ref&&(f.ref&&se(f.ref,null,p),u.push(p.ref,p.__c||g,p)),_==null&&g!=null&&(_=g),4&p.__u?(c=k(p,c,e),f.__e&&(f.__e=null)):typeof p.type==`function`&&v!==void 0?c=v:g&&(c=g.nextSibling),p.__u&=-7);return n.__e=_,c}function O(e,t,n,r,i){var a,o,s,c,l,u=n.length,d=u,f=0;for(e.__k=Array(i),a=0;a<i;a++)(o=t[a])!=null&&typeof o!=`boolean`&&typeof o!=`function`?(typeof o==`string`||typeof o==`number`||typeof o==`bigint`||o.constructor==String?o=e.__k[a]=x(null,o,null,null,null):_(o)?o=e.__k[a]=x(S,{children:o},null,null,null):o.constructor===void 0&&o.__b>0?o=e.__k[a]=x(o.type,o.props,o.key,o.ref?o.ref:null,o.__v):e.__k[a]=o,c=a+f,o.__=e,o.__b=e.__b+1,s=null,(l=o.__i=A(o,n,c,d))!=-1&&(d--,(s=n[l])&&(s.__u|=2)),s==null||s.__v==null?(l==-1&&(i>u?f--:i<u&&f++),typeof o.type!=`function`&&(o.__u|=4)):l!=c&&(l==c-1?f--:l==c+1?f++:(l>c?f--:f++,o.__u|=4))):e.__k[a]=null;if(d)for(a=0;a<u;a++)(s=n[a])!=null&&!(2&s.__u)&&(s.__e==r&&(r=w(s)),ce(s,s));return r}function k(e,t,n){var r,i;if(typeof e.type==`function`){for(r=e.__k,i=0;r&&i<r.length;i++)r[i]&&(r[i].__=e,t=k(r[i],t,n));return t}e.__e!=t&&(t&&e.type&&!t.parentNode&&(t=w(e)),t=n.insertBefore(e.__e,t||null));do t&&=t.nextSibling;while(t!=null&&t.nodeType==8);return t}function A(e,t,n,r){var i,a,o,s=e.key,c=e.type,l=t[n],u=l!=null&&!(2&l.__u);if(l===null&&s==null||u&&s==l.key&&c==l.type)return n;if(r>+!!u){for(i=n-1,a=n+1;i>=0||a<t.length;)if((l=t[o=i>=0?i--:a++])!=null&&!(2&l.__u)&&s==l.key&&c==l.type)return o}return-1}function j(e,t,n){t[0]==`-`?e.setProperty(t,n??``):e[t]=n==null?``:typeof n!=`number`||g.test(t)?n:n+`px`}function M(e,t,n,r,i){var a,o;n:if(t==`style`){if(typeof n==`string`)e.style.cssText=n;else{if(typeof r==`string`&&(e.style.cssText=r=``),r)for(t in r)n&&t in n||j(e.style,t,``);if(n)for(t in n)r&&n[t]==r[t]||j(e.style,t,n[t])}}else if(t[0]==`o`&&t[1]==`n`)a=t!=(t=t.replace(u,`$1`)),o=t.toLowerCase(),t=o in e||t==`onFocusOut`||t==`onFocusIn`?o.slice(2):t.slice(2),e.l||={},e.l[t+a]=n,n?r?n[l]=r[l]:(n[l]=d,e.addEventListener(t,a?p:f,a)):e.removeEventListener(t,a?p:f,a);else{if(i==`http://www.w3.org/2000/svg`)t=t.replace(/xlink(H|:h)/,`h`).replace(/sName$/,`s`);else if(t!=`width`&&t!=`height`&&t!=`href`&&t!=`list`&&t!=`form`&&t!=`tabIndex`&&t!=`download`&&t!=`rowSpan`&&t!=`colSpan`&&t!=`role`&&t!=`popover`&&t in e)try{e[t]=n??``;break n}catch{}typeof n==`function`||(n==null||!1===n&&t[4]!=`-`?e.removeAttribute(t):e.setAttribute(t,t==`popover`&&n==1?``:n))}}function N(e){return function(n){if(this.l){var r=this.l[n.type+e];if(n[c]==null)n[c]=d++;else if(n[c]<r[l])return;return r(t.event?t.event(n):n)}}}function ne(e,n,r,i,a,o,s,c,l,u){var d,f,p,m,g,b,x,ee,T,E,D,O,k,A,j,M,N=n.type;if(n.constructor!==void 0)return null;128&r.__u&&(l=!!(32&r.__u),o=[c=n.__e=r.__e]),(d=t.__b)&&d(n);n:if(typeof N==`function`){f=s.length;try{if(T=n.props,E=N.prototype&&N.prototype.render,D=(d=N.contextType)&&i[d.__c],O=d?D?D.props.value:d.__:i,r.__c?ee=(p=n.__c=r.__c).__=p.__E:(E?n.__c=p=new N(T,O):(n.__c=p=new C(T,O),p.constructor=N,p.render=le),D&&D.sub(p),p.state||(p.state={}),p.__n=i,m=p.__d=!0,p.__h=[],p._sb=[]),E&&p.__s==null&&(p.__s=p.state),E&&N.getDerivedStateFromProps!=null&&(p.__s==p.state&&(p.__s=v({},p.__s)),v(p.__s,N.getDerivedStateFromProps(T,p.__s))),g=p.props,b=p.state,p.__v=n,m)E&&N.getDerivedStateFromProps==null&&p.componentWillMount!=null&&p.componentWillMount(),E&&p.componentDidMount!=null&&p.__h.push(p.componentDidMount);else{if(E&&N.getDerivedStateFromProps==null&&T!==g&&p.componentWillReceiveProps!=null&&p.componentWillReceiveProps(T,O),n.__v==r.__v||!p.__e&&p.shouldComponentUpdate!=null&&!1===p.shouldComponentUpdate(T,p.__s,O)){n.__v!=r.__v&&(p.props=T,p.state=p.__s,p.__d=!1),n.__e=r.__e,n.__k=r.__k,n.__k.some(function(e){e&&(e.__=n)}),h.push.apply(p.__h,p._sb),p._sb=[],p.__h.length&&s.push(p),c=w(r);break n}p.componentWillUpdate!=null&&p.componentWillUpdate(T,p.__s,O),E&&p.componentDidUpdate!=null&&p.__h.push(function(){p.componentDidUpdate(g,b,x)})}if(p.context=O,p.props=T,p.__P=e,p.__e=!1,k=t.__r,A=0,E)p.state=p.__s,p.__d=!1,k&&k(n),d=p.render(p.props,p.state,p.context),h.push.apply(p.__h,p._sb),p._sb=[];else do p.__d=!1,k&&k(n),d=p.render(p.props,p.state,p.context),p.state=p.__s;while(p.__d&&++A<25);p.state=p.__s,p.getChildContext!=null&&(i=v(v({},i),p.getChildContext())),E&&!m&&p.getSnapshotBeforeUpdate!=null&&(x=p.getSnapshotBeforeUpdate(g,b)),j=d!=null&&d.type===S&&d.key==null?ae(d.props.children):d,c=te(e,_(j)?j:[j],n,r,i,a,o,s,c,l,u),p.base=n.__e,n.__u&=-161,p.__h.length&&s.push(p),ee&&(p.__E=p.__=null)}catch(e){if(s.length=f,n.__v=null,l||o!=null){if(e.then){for(n.__u|=l?160:128;c&&c.nodeType==8&&c.nextSibling;)c=c.nextSibling;o!=null&&(o[o.indexOf(c)]=null),n.__e=c}else if(o!=null)for(M=o.length;M--;)y(o[M])}else n.__e=r.__e;n.__k??=r.__k||[],e.then||re(n),t.__e(e,n,r)}}else o==null&&n.__v==r.__v?(n.__k=r.__k,n.__e=r.__e):c=n.__e=oe(r.__e,n,r,i,a,o,s,l,u);return(d=t.diffed)&&d(n),128&n.__u?void 0:c}function re(e){e&&(e.__c&&(e.__c.__e=!0),e.__k&&e.__k.some(re))}function ie(e,n,r){for(var i=0;i<r.length;i++)se(r[i],r[++i],r[++i]);t.__c&&t.__c(n,e),e.some(function(n){try{e=n.__h,n.__h=[],e.some(function(e){e.call(n)})}catch(e){t.__e(e,n.__v)}})}function ae(e){return typeof e!=`object`||!e||e.__b>0?e:_(e)?e.map(ae):e.constructor===void 0?v({},e):null}function oe(n,r,i,a,o,s,c,l,u){var d,f,p,h,g,v,b,x=i.props||m,S=r.props,C=r.type;if(C==`svg`?o=`http://www.w3.org/2000/svg`:C==`math`?o=`http://www.w3.org/1998/Math/MathML`:o||=`http://www.w3.org/1999/xhtml`,s!=null){for(d=0;d<s.length;d++)if((g=s[d])&&`setAttribute`in g==!!C&&(C?g.localName==C:g.nodeType==3)){n=g,s[d]=null;break}}if(n==null){if(C==null)return document.createTextNode(S);n=document.createElementNS(o,C,S.is&&S),l&&=(t.__m&&t.__m(r,s),!1),s=null}if(C==null)x===S||l&&n.data==S||(n.data=S);else{if(s=C==`textarea`&&S.defaultValue!=null?null:s&&e.call(n.childNodes),!l&&s!=null)for(x={},d=0;d<n.attributes.length;d++)x[(g=n.attributes[d]).name]=g.value;for(d in x)g=x[d],d==`dangerouslySetInnerHTML`?p=g:d==`children`||d in S||d==`value`&&`defaultValue`in S||d==`checked`&&`defaultChecked`in S||M(n,d,null,g,o);for(d in S)g=S[d],d==`children`?h=g:d==`dangerouslySetInnerHTML`?f=g:d==`value`?v=g:d==`checked`?b=g:l&&typeof g!=`function`||x[d]===g||M(n,d,g,x[d],o);if(f)l||p&&(f.__html==p.__html||f.__html==n.innerHTML)||(n.innerHTML=f.__html),r.__k=[];else if(p&&(n.innerHTML=``),te(r.type==`template`?n.content:n,_(h)?h:[h],r,i,a,C==`foreignObject`?`http://www.w3.org/1999/xhtml`:o,s,c,s?s[0]:i.__k&&w(i,0),l,u),s!=null)for(d=s.length;d--;)y(s[d]);l&&C!=`textarea`||(d=`value`,C==`progress`&&v==null?n.removeAttribute(`value`):v!=null&&(v!==n[d]||C==`progress`&&!v||C==`option`&&v!=x[d])&&M(n,d,v,x[d],o),d=`checked`,b!=null&&b!=n[d]&&M(n,d,b,x[d],o))}return n}function se(e,n,r){try{if(typeof e==`function`){var i=typeof e.__u==`function`;i&&e.__u(),i&&n==null||(e.__u=e(n))}else e.current=n}catch(e){t.__e(e,r)}}function ce(e,n,r){var i,a;if(t.unmount&&t.unmount(e),(i=e.ref)&&(i.current&&i.current!=e.__e||se(i,null,n)),(i=e.__c)!=null){if(i.componentWillUnmount)try{i.componentWillUnmount()}catch(e){t.__e(e,n)}i.base=i.__P=i.__n=null}if(i=e.__k)for(a=0;a<i.length;a++)i[a]&&ce(i[a],n,r||typeof e.type!=`function`);r||y(e.__e),e.__c=e.__=e.__e=void 0}function le(e,t,n){return this.constructor(e,n)}function ue(n,r,i){var a,o,s,c;r==document&&(r=document.documentElement),t.__&&t.__(n,r),o=(a=typeof i==`function`)?null:i&&i.__k||r.__k,s=[],c=[],ne(r,n=(!a&&i||r).__k=b(S,null,[n]),o||m,m,r.namespaceURI,!a&&i?[i]:o?null:r.firstChild?e.call(r.childNodes):null,s,!a&&i?i:o?o.__e:r.firstChild,a,c),ie(s,n,c),n.props.children=null}e=h.slice,t={__e:function(e,t,n,r){for(var i,a,o;t=t.__;)if((i=t.__c)&&!i.__)try{if((a=i.constructor)&&a.getDerivedStateFromError!=null&&(i.setState(a.getDerivedStateFromError(e)),o=i.__d),i.componentDidCatch!=null&&(i.componentDidCatch(e,r||{}),o=i.__d),o)return i.__E=i}catch(t){e=t}throw e}},n=0,C.prototype.setState=function(e,t){var n=this.__s!=null&&this.__s!=this.state?this.__s:this.__s=v({},this.state);typeof e==`function`&&(e=e(v({},n),this.props)),e&&v(n,e),e!=null&&this.__v&&(t&&this._sb.push(t),E(this))},C.prototype.forceUpdate=function(e){this.__v&&(this.__e=!0,e&&this.__h.push(e),E(this))},C.prototype.render=S,r=[],a=typeof Promise==`function`?Promise.prototype.then.bind(Promise.resolve()):setTimeout,o=function(e,t){return e.__v.__b-t.__v.__b},D.__r=0,s=Math.random().toString(8),c=`__d`+s,l=`__a`+s,u=/(PointerCapture)$|Capture$/i,d=0,f=N(!1),p=N(!0);var P,F,de,fe,I=0,pe=[],L=t,me=L.__b,he=L.__r,ge=L.diffed,_e=L.__c,ve=L.unmount,ye=L.__;function R(e,t){L.__h&&L.__h(F,e,I||t),I=0;var n=F.__H||(F.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function z(e){return I=1,be(Oe,e)}function be(e,t,n){var r=R(P++,2);if(r.t=e,!r.__c&&(r.__=[n?n(t):Oe(void 0,t),function(e){var t=r.__N?r.__N[0]:r.__[0],n=r.t(t,e);t!==n&&(r.__N=[n,r.__[1]],r.__c.setState({}))}],r.__c=F,!F.__f)){var i=function(e,t,n){if(!r.__c.__H)return!0;var i=!1,o=r.__c.props!==e;if(r.__c.__H.__.some(function(e){if(e.__N){i=!0;var t=e.__[0];e.__=e.__N,e.__N=void 0,t!==e.__[0]&&(o=!0)}}),a){var s=a.call(this,e,t,n);return i?s||o:s}return!i||o};F.__f=!0;var a=F.shouldComponentUpdate,o=F.componentWillUpdate;F.componentWillUpdate=function(e,t,n){if(this.__e){var r=a;a=void 0,i(e,t,n),a=r}o&&o.call(this,e,t,n)},F.shouldComponentUpdate=i}return r.__N||r.__}function B(e,t){var n=R(P++,3);!L.__s&&De(n.__H,t)&&(n.__=e,n.u=t,F.__H.__h.push(n))}function xe(e){return I=5,Se(function(){return{current:e}},[])}function Se(e,t){var n=R(P++,7);return De(n.__H,t)&&(n.__=e(),n.__H=t,n.__h=e),n.__}function Ce(){for(var e;e=pe.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(V),t.__h.some(Ee),t.__h=[]}catch(n){t.__h=[],L.__e(n,e.__v)}}}L.__b=function(e){F=null,me&&me(e)},L.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),ye&&ye(e,t)},L.__r=function(e){he&&he(e),P=0;var t=(F=e.__c).__H;t&&(de===F?(t.__h=[],F.__h=[],t.__.some(function(e){e.__N&&(e.__=e.__N),e.u=e.__N=void 0})):(t.__h.some(V),t.__h.some(Ee),t.__h=[],P=0)),de=F},L.diffed=function(e){ge&&ge(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&(pe.push(t)!==1&&fe===L.requestAnimationFrame||((fe=L.requestAnimationFrame)||Te)(Ce)),t.__H.__.some(function(e){e.u&&=(e.__H=e.u,void 0)})),de=F=null},L.__c=function(e,t){t.some(function(e){try{e.__h.some(V),e.__h=e.__h.filter(function(e){return!e.__||Ee(e)})}catch(n){t.some(function(e){e.__h&&=[]}),t=[],L.__e(n,e.__v)}}),_e&&_e(e,t)},L.unmount=function(e){ve&&ve(e);var t,n=e.__c;n&&n.__H&&(n.__H.__.some(function(e){try{V(e)}catch(e){t=e}}),n.__H=void 0,t&&L.__e(t,n.__v))};var we=typeof requestAnimationFrame==`function`;function Te(e){var t,n=function(){clearTimeout(r),we&&cancelAnimationFrame(t),setTimeout(e)},r=setTimeout(n,35);we&&(t=requestAnimationFrame(n))}function V(e){var t=F,n=e.__c;typeof n==`function`&&(e.__c=void 0,n()),F=t}function Ee(e){var t=F;e.__c=e.__(),F=t}function De(e,t){return!e||e.length!==t.length||t.some(function(t,n){return t!==e[n]})}function Oe(e,t){return typeof t==`function`?t(e):t}let ke=/(?![\\u00ad\\u200c\\u200d])[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]/gu,Ae={\"\\n\":`\\\\n`,\"\\r\":`\\\\r`,\"\t\":`\\\\t`};function je(e){return Ae[e]??`\\\\u{${(e.codePointAt(0)??0).toString(16)}}`}function Me(e){return e.toWellFormed().replace(ke,je)}function Ne(e){return Pe(e).map(e=>e.split(`\t`).map(Me).join(`\t`)).join(`\n`)}function Pe(e){return e.split(/\\r\\n|[\\n\\r\\u2028\\u2029]/)}function Fe(e){return JSON.stringify(e.toWellFormed()).replace(ke,e=>`\\\\U${(e.codePointAt(0)??0).toString(16).padStart(8,`0`)}`)}function Ie(e){if(e.length>2048||!/^https?:\\/\\//i.test(e)||!URL.canParse(e))return;let t=new URL(e);if(t.username===``&&t.password===``)return t.href.replace(/[\"'`|\\\\^{}<>]/g,e=>`%${e.charCodeAt(0).toString(16).toUpperCase().padStart(2,`0`)}`)}let Le=/(?<=(?:^|[;\\t\\r\\n])[\\s\"',;|]*)(?=[=+\\-@＝＋－＠])|^(?=[\\t\\r])/g;function Re(e=``){let t=e.replace(Le,`'`);return/[\",\\r\\n]/.test(t)?`\"${t.replaceAll(`\"`,`\"\"`)}\"`:t}function H(e){return String(e).replace(/\\B(?=(?:\\d{3})+$)/g,`,`)}function U(e,t){return`${H(e)} ${t}${e===1?``:`s`}`}let ze=[[`GB`,1e9],[`MB`,1e6],[`kB`,1e3]];function Be(e){let t=ze.find(([,t])=>e>=t);return t?`${(e/t[1]).toFixed(1).replace(/\\.0$/,``)} ${t[0]}`:U(e,`byte`)}function Ve(e,t=5){let n=e.length-t;return e.slice(0,t).join(`, `)+(n>0?` and ${H(n)} more`:``)}function He(e,t){return e.length<=t?e:`${e.slice(0,Math.max(0,t-1)).replace(/[\\ud800-\\udbff]$/,``)}…`}function Ue({outcome:e}){return e===`result`||e===`last-known`}let W=[`CRITICAL`,`MAJOR`,`MINOR`,`INFO`];function We(e){return W.indexOf(e)}function Ge({causes:e,verdict:t,reason:n}){return e.filter(e=>t!==`skipped`||e.reason!==n)}function Ke(e,t){return e.map(e=>{let{effectRank:n=0,isChanged:r,issue:i,path:a=`￿`}=t(e),o=i?We(i.severity):W.length;return{item:e,key:[n,+!r,o,a].join(` `)}}).toSorted((e,t)=>e.key<t.key?-1:Number(e.key>t.key)).map(({item:e})=>e)}let qe=[`Stops the check`,`Counts`,`Does not count`];function G({standing:e,failsGate:t}){return e===`active`?t?`Stops the check`:`Counts`:`Does not count`}function Je({contents:e}){let t=e.flatMap(e=>e.issues.map(t=>({content:e,issue:t}))),n=new Map;return Ke(t,({content:{isChanged:e,paths:t},issue:n})=>({effectRank:qe.indexOf(G(n)),isChanged:e,issue:n,path:t[0]})).map(e=>{let t=`issue-${e.issue.referenceNumber??`unnumbered`}`,r=(n.get(t)??0)+1;return n.set(t,r),{...e,id:r===1?t:`${t}-${r}`}})}function Ye(e){return/^\\d{4}-\\d\\d-\\d\\dT/.test(e)?e.slice(0,10):e}let Xe={pass:{mark:`✅`,word:`PASS`},fail:{mark:`❌`,word:`FAIL`},error:{mark:`🛑`,word:`ERROR`},forgiven:{mark:`⚠️`,word:`NOT CHECKED`},skipped:{mark:`⏭️`,word:`NOT CHECKED`},sandbox:{mark:`🧪`,word:`SANDBOX`}};function Ze({verdict:e,mode:t,isPassing:n}){let r=e===`pass`&&t===`sandbox`?`sandbox`:e===`error`&&n?`forgiven`:e;return{name:r,...Xe[r]}}function Qe(e){return`${Ze(e).word}: ${e.headline}`}function $e({headline:e,summary:t}){return e||t}function et(e){let{standing:t,referenceNumber:n,status:r,waiver:i,whyNotWaived:a}=e,o=G(e);return{number:n===void 0?``:`#${n}`,effect:t===`active`?o:`${o}: ${t}`,status:r.toLowerCase().replaceAll(`_`,` `)||`none`,waiver:i?`${i.owner} until ${i.expires}: ${i.reason}`:a??``}}function tt(e,{mode:t,reason:n}){let{category:r,mime:i,size:a,versionNumber:o,versionCount:s,issues:c,source:l,sourceReason:u}=e,d=[o,s].filter(e=>e!==void 0).join(` of `),f=n===`dry-run`,p=`would be ${l===`not sent`?`sent`:l}`,m=e.isLastKnown?`; last known issues, from ${Ye(e.analysedAt??``)}`:``,h=`${f?p:l}: ${u}${m}`,g=c.length===0?`Without issues`:U(c.length,`issue`),_=t===`sandbox`?`Not analysed`:g;return{version:d,kind:[r??i,Be(a),...d===``?[]:[`version ${d}`]].join(`, `),origin:h,result:f?h:Ue(e)?_:`Not judged`}}let nt={author:`Author of the change`,\"file owner\":`Owner of the file`,\"workflow owner\":`Owner of the workflow`,\"account owner\":`Owner of the service account`,anyone:`Anyone with write access`};function rt({actor:e}){return nt[e]}function it(e){return e.map(e=>`${rt(e)}: ${e.text}`).join(` `)}function at({run:e,isPassing:t,nextSteps:[n]}){let r=n?.actor===`workflow owner`||n?.actor===`account owner`;return e.subject!==`pull request`||t||!r?``:`There is nothing to fix in your files: send this link to the people named here.`}function ot({issue:e,content:t}){let n=Fe(e.ruleCode);return t.paths.map(e=>`- rule: ${n}\\n  path: ${Fe(e)}\\n  owner:\\n  reason:\\n  expires:\\n`).join(``)}function st({serverUrl:e,repository:t},n=``){return t===``?void 0:`${e}/${t}${n}`}function ct(e,t){return st(e,`/blob/${e.pullRequest?.headCommit??e.commit}/${lt(e.folder+t)}`)}function lt(e){return e.toWellFormed().split(`/`).map(encodeURIComponent).join(`/`)}function ut({run:e,judgedAt:t}){let{pullRequest:n}=e,r=e.branch.replace(/^refs\\/(?:heads|tags)\\//,``),i=t.replace(/^(.{10})T(.{5}).*$/,`$1 $2 UTC`);return[[e.repository,st(e)],n?[`pull request #${n.number}`,n.url]:[r,void 0],[e.commit&&`commit ${e.commit.slice(0,7)}`,st(e,`/commit/${e.commit}`)],[`run of ${i}`,e.url]].filter(([e])=>e!==``)}var dt=0;Array.isArray;function K(e,n,r,i,a,o){n||={};var s,c,l=n;if(`ref`in l)for(c in l={},n)c==`ref`?s=n[c]:l[c]=n[c];var u={type:e,props:l,key:r,ref:s,__k:null,__:null,__b:0,__e:null,__c:null,constructor:void 0,__v:--dt,__i:-1,__u:0,__source:a,__self:o};if(typeof e==`function`&&(s=e.defaultProps))for(c in s)l[c]===void 0&&(l[c]=s[c]);return t.vnode&&t.vnode(u),u}function q({url:e,children:t}){let n=e===void 0?void 0:Ie(e);return n?.startsWith(`https:`)?K(`a`,{href:n,target:`_blank`,rel:`noopener noreferrer`,referrerpolicy:`no-referrer`,children:t}):K(S,{children:t})}function J({text:e}){return K(S,{children:e.split(/(`[^`]+`|\\d{4}-\\d\\d-\\d\\d)/u).map((e,t)=>t%2==0?e:e.startsWith(\"`\")?K(`code`,{children:e.slice(1,-1)}):K(`span`,{class:`name`,children:e}))})}function ft(e){return e.filter(Boolean).map((e,t)=>[t>0&&` · `,e])}function Y({kind:e,items:t}){return K(`ul`,{class:e,children:t.filter(Boolean).map(e=>K(`li`,{children:e}))})}function pt(e,{run:t}){return K(S,{children:[K(`b`,{children:[rt(e),`:`]}),` `,K(q,{url:e.actor===`anyone`?t.url:void 0,children:K(J,{text:e.text})})]})}let X=`M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1z`,mt=[`M5 1h6l4 4v6l-4 4H5l-4-4V5z`,`M8 4.2v4.6M8 11.2v.3`],ht=[`M8 1.2 15.4 14.4H.6z`,`M8 5.8v4M8 11.9v.3`],gt={CRITICAL:mt,MAJOR:ht,MINOR:[`M8 .8 15.2 8 8 15.2.8 8z`,`M5.6 8h4.8`],INFO:[X,`M8 7.2v4.2M8 4.5v.3`],pass:[X,`M4.7 8.3 7 10.6l4.4-4.9`],fail:[X,`m5.4 5.4 5.2 5.2m0-5.2-5.2 5.2`],error:mt,forgiven:ht,skipped:[X,`M4.8 8h6.4`],sandbox:[`M6 1h4v4.5l4 7.3A1.5 1.5 0 0 1 12.7 15H3.3A1.5 1.5 0 0 1 2 12.8l4-7.3z`,`M5.5 10.5h5`],file:[``,`M3.5 1.5h6l3 3v10h-9zM9.5 1.5v3h3`]};function Z({name:e,label:t}){let[n,r]=gt[e],i=t===void 0?{\"aria-hidden\":!0}:{role:`img`,\"aria-label\":t};return K(`svg`,{class:`icon ${e}`,viewBox:`0 0 16 16`,...i,children:[K(`path`,{d:n}),K(`path`,{class:`sign`,d:r})]})}let _t=[`Effect`,`Severity`,`New`,`Changed here`,`Rule`,`Folder`,`Kind`,`Checker`],vt=[`Number`,`Headline`,`Summary`,`Reasoning`,`Precedents`,`Topic`,`Status`,`Waiver`],yt=[..._t,...vt,`Version`,`Files`,`Link`],bt={problems:`Problems`,issues:`Issues`,files:`Files`};function xt(e){let t=e.contents.flatMap(e=>e.paths.map(t=>({content:e,path:t}))),n=[...Ge(e).map((t,n)=>({id:`problem-${n+1}`,list:`problems`,paths:t.path===void 0?[]:[t.path],cells:St(t,e),cause:t})),...Je(e).map(t=>{let{id:n,content:r}=t;return{id:n,list:`issues`,paths:r.paths,cells:wt(t,e),listed:t}}),...t.map(({content:t,path:n},r)=>{let i={...Ct(t,e),Headline:n.slice(n.lastIndexOf(`/`)+1)};return{id:`file-${r+1}`,list:`files`,paths:[n],cells:i,content:t}})],r=Et(n.flatMap(({paths:e})=>e));return n.map(e=>{let t={...e.cells,Folder:Dt(r,e.paths).join(`\n`),Files:e.paths.join(`\n`)};return{...e,cells:t,text:Object.values(t).join(`\n`).toLowerCase()}})}function St({message:e,detail:t,steps:n,isChanged:r},{isPassing:i}){return{Effect:i?`Does not count`:`Stops the check`,\"Changed here\":Tt(r),Headline:e,Summary:it(n),Reasoning:t}}function Ct(e,t){let{category:n,mime:r,isChanged:i,issues:a}=e,{version:o,kind:s,result:c}=tt(e,t),l=qe.find(e=>a.some(t=>G(t)===e))??c;return{Effect:Ue(e)||l===`Stops the check`?l:c,\"Changed here\":Tt(i),Kind:n??r,Version:o,Summary:`${c}: ${s}`}}function wt({issue:e,content:t},n){let{severity:r,ruleCode:i,summary:a,reasoning:o,sidekickId:s,url:c,precedents:l}=e,{number:u,status:d,waiver:f}=et(e),p=t.topics.filter(({issueIds:t})=>t.includes(e.id)).map(({title:e})=>e),m=l.map(({title:e,decision:t,date:n})=>[e,t,n].filter(Boolean).join(`, `));return{...Ct(t,n),Effect:G(e),Severity:r,New:Tt(e.isNew),Rule:i,Checker:s,Number:u,Headline:$e(e),Summary:a,Reasoning:o,Precedents:m.join(`\n`),Topic:p.join(`\n`),Status:d,Waiver:f,Link:c}}function Tt(e){return e===void 0?``:e?`yes`:`no`}function Et(e){let[t=``]=e;return Array.from(t.matchAll(/\\//g),({index:e})=>t.slice(0,e+1)).findLast(t=>e.every(e=>e.startsWith(t)))??``}function Dt(e,t){return[...new Set(t.map(t=>t.slice(0,t.indexOf(`/`,e.length)+1)||e))]}function Ot(e,{run:t}){let n=t.pullRequest&&String(t.pullRequest.number),r={Repository:t.repository,\"Pull request\":n,Run:t.url},i=e.map(({cells:e})=>[...yt.map(t=>e[t]),...Object.values(r)]);return`﻿`+[[...yt,...Object.keys(r)],...i].map(e=>`${e.map(Re).join(`,`)}\\r\\n`).join(``)}let kt=/(?<![\\w:.,])((?:\\d{1,2}:){1,2}[0-5]\\d)(?![\\d:])/u;function At({headline:e,summary:t,reasoning:n}){let[,r=`0`]=kt.exec([e,t,n].join(`\n`))??[];return r.split(`:`).reduce((e,t)=>e*60+Number(t),0)}let Q={query:``,chosen:{}};function jt(e){let t=Map.groupBy(e,({list:e})=>e),n=new Map(Array.from(t,([e,t])=>[e,_t.map(e=>({name:e,values:Ft(Nt(t,e))})).filter(({values:e})=>e.length>1)]));return({list:e,query:r,chosen:i})=>{let a=t.get(e)??[],o=r.toLowerCase().split(/\\s+/),s=a.filter(({text:e})=>o.every(t=>e.includes(t))),c=e=>_t.reduce((t,n)=>{let r=n===e?[]:i[n]??[];return r.length===0?t:t.filter(({cells:e})=>Mt(e[n]).some(e=>r.includes(e)))},s),l=c();return{rows:l,total:a.length,facets:(n.get(e)??[]).map(({name:e,values:t})=>{let n=Nt(i[e]?.length?c(e):l,e);return{name:e,values:t.map(e=>[e,n.get(e)??0])}})}}}function Mt(e=``){return[...new Set(e.split(`\n`))]}function Nt(e,t){let n=new Map;for(let[r,{length:i}]of Map.groupBy(e,({cells:e})=>e[t]))for(let e of Mt(r))n.set(e,(n.get(e)??0)+i);return n}let Pt=[...qe,...W,`yes`,`no`].toReversed();function Ft(e){return[...e].toSorted(([e,t],[n,r])=>Pt.indexOf(n)-Pt.indexOf(e)||r-t).map(([e])=>e)}function It(e){let t=e.filter(({list:e})=>e===`issues`);return t.find(({cells:e})=>e.Effect===`Stops the check`)??e.find(({cause:e})=>e)??e.find(({content:e})=>e&&!Ue(e))??t.find(({cells:e})=>e.Severity===`CRITICAL`&&e.Effect===`Does not count`)??t[0]??e[0]}function Lt({report:e,found:t,view:n,change:r,current:i}){let{rows:a,total:o}=t,[s,c]=z(300),l=xe(null);B(()=>l.current?.scrollTo(0,0),[a]);let u=a.slice(0,s),d=i&&u.includes(i)?i:u[0];return K(`main`,{\"aria-label\":`List`,children:[K(`input`,{id:`search`,type:`search`,\"aria-label\":`Search`,placeholder:`Search path, rule, text, #`,value:n.query,onInput:({currentTarget:e})=>r({query:e.value})}),K(`p`,{class:`found`,children:[K(`b`,{role:`status`,children:[bt[n.list],`: `,a.length<o&&`${H(a.length)} of `,H(o)]}),(n.query!==``||Object.values(n.chosen).flat().length>0)&&K(`button`,{type:`button`,onClick:()=>r(Q),children:`Clear`}),a.length>0&&K(`button`,{type:`button`,onClick:()=>zt(`${e.gate}.csv`,Ot(a,e)),children:`Save as CSV`})]}),K(`div`,{class:`rows`,ref:l,onKeyDown:Rt,children:[u.map(e=>K(Bt,{row:e,isCurrent:e===i,tabIndex:e===d?0:-1})),a.length>s&&K(`p`,{class:`found`,children:K(`button`,{type:`button`,onClick:()=>c(s+300),children:`Show more`})}),a.length===0&&K(`p`,{class:`found soft`,children:`Nothing matches.`})]})]})}function Rt(e){let{key:t,target:n}=e;if(e.ctrlKey||e.metaKey||e.altKey||!(n instanceof HTMLElement))return;let r={ArrowDown:n.nextElementSibling,ArrowUp:n.previousElementSibling}[t];if(t===`/`)document.getElementById(`search`)?.focus();else if(r instanceof HTMLAnchorElement)r.focus(),location.replace(r.hash);else return;e.preventDefault()}function zt(e,t){let n=document.createElement(`a`);n.href=URL.createObjectURL(new Blob([t],{type:`text/csv;charset=utf-8`})),n.download=e,n.click(),URL.revokeObjectURL(n.href)}function Bt({row:{id:e,list:t,cells:n,paths:r},isCurrent:i,tabIndex:a}){let{Effect:o,Headline:s=``,Number:c,New:l,Rule:u,Kind:d}=n,f=W.find(e=>e===n.Severity),p=o===`Stops the check`,[m=``,...h]=r,g=m.lastIndexOf(`/`)+1,_=[l===`yes`&&K(`b`,{children:`New`}),K(`span`,{class:p?`stop`:``,children:o}),t===`files`?d:u];return K(`a`,{class:`row`,href:`#at=${e}`,\"aria-current\":i,tabIndex:a,children:[K(Z,{name:f??(t===`files`?`file`:p?`error`:`forgiven`),label:f}),K(`span`,{class:`line`,children:[K(`span`,{class:p?`what stops`:`what`,children:K(J,{text:s})}),K(`span`,{class:`aside`,children:c})]}),K(`span`,{class:`line`,children:[K(`span`,{class:`path`,children:[K(`span`,{class:`soft`,children:m.slice(0,g)}),t!==`files`&&K(`span`,{class:`name`,children:m.slice(g)}),h.length>0&&` and ${H(h.length)} more`]}),K(`span`,{class:`aside`,children:ft(_)})]})]})}function Vt({all:e,found:t,view:{list:n,chosen:r},change:i,isOpen:a}){let o=(e,t)=>{let{[e]:n=[]}=r,a=n.includes(t)?n.filter(e=>e!==t):[...n,t];i({chosen:{...r,[e]:a}})};return K(`nav`,{\"aria-label\":`Filters`,children:[K(`div`,{class:`lists`,children:Array.from(Map.groupBy(e,e=>e.list),([e,t])=>K(`button`,{type:`button`,\"aria-current\":e===n,onClick:()=>i({...Q,list:e}),children:[K(`span`,{children:bt[e]}),` `,K(`span`,{class:`soft`,children:H(t.length)})]}))}),t.facets.length>0&&K(`details`,{open:a,children:[K(`summary`,{children:`Filters`}),t.facets.map(({name:e,values:t})=>K(`fieldset`,{children:[K(`legend`,{class:`soft`,children:e}),t.map(([t,n])=>K(`label`,{children:[K(`input`,{type:`checkbox`,checked:r[e]?.includes(t),onChange:()=>o(e,t)}),e===`Severity`&&K(Z,{name:W.find(e=>e===t)??`INFO`}),K(`span`,{children:t||`(none)`}),K(`span`,{class:`soft`,children:H(n)})]},t))]},e))]})]})}function Ht({row:e,report:t,all:n}){let{list:r,cells:i,cause:a,listed:o,paths:s}=e,c=n.filter(e=>e.list!==r&&e.paths.some(e=>s.includes(e))),[l]=[e,...c].flatMap(e=>e.content??[]),{kind:u,origin:d}=l?tt(l,t):{},f=o?At(o.issue):0,p=(l?.paths??s).map(e=>K(q,{url:ct(t.run,e),children:K(`code`,{children:e})})),m=a&&t.causes.length>1?a.steps:[];return K(S,{children:[K(`h2`,{children:K(J,{text:i.Headline??``})}),K(Y,{kind:`sentences`,items:m.map(e=>pt(e,t))}),K(`p`,{class:`soft`,children:a?.detail}),o&&K(Ut,{row:e,listed:o}),s.length>0&&K(`section`,{class:`place`,children:[K(Y,{items:p}),K(`p`,{class:`soft`,children:ft([u,d,l?.isChanged===!1&&`not changed by this pull request`])}),l&&K(Gt,{content:l,start:f},`${l.sha256} ${f}`)]}),o&&K(Wt,{row:e,listed:o,waiversFile:t.waiversFile}),c.length>0&&K(`h3`,{children:`Also about this file`}),c.map(e=>K(Bt,{row:e}))]})}function Ut({row:{cells:e},listed:{issue:t}}){let{severity:n,url:r}=t;return K(Y,{kind:`tags`,items:[K(`b`,{class:n,children:[K(Z,{name:n}),` `,n]}),K(`span`,{class:t.failsGate?`stop`:``,children:et(t).effect}),`Status: ${e.Status}`,K(`code`,{children:e.Rule}),(e.Number||r)&&K(q,{url:r,children:e.Number||`At the service`}),e.Checker&&`Checker ${e.Checker}`]})}function Wt({row:{cells:e},listed:t,waiversFile:n}){let{severity:r,precedents:i,failsGate:a}=t.issue,o=[[``,e.Summary],[`Why ${r}`,e.Reasoning],[`Topic`,e.Topic],[`Waiver`,e.Waiver]],s=i.map(({url:e,title:t,decision:n,date:r})=>K(S,{children:[K(q,{url:e,children:t||e||`untitled`}),n&&`: ${n}`,` `,r&&K(`span`,{class:`soft name`,children:[`(`,Ye(r),`)`]})]}));return K(S,{children:[o.map(([e,t])=>[t&&e&&K(`h3`,{children:e}),t&&K(`p`,{class:`text`,children:t})]),s.length>0&&K(`h3`,{children:`Precedents`}),K(Y,{kind:`sentences`,items:s}),a&&n!==void 0&&K(S,{children:[K(`h3`,{children:`To accept this issue`}),K(`p`,{children:[`Fill in this entry, add it to `,K(`code`,{children:n}),`, and merge that in a pull request of its own.`]}),K(`pre`,{children:ot(t)})]})]})}function Gt({content:{sha256:e,mime:t,paths:n},start:r}){let i=document.getElementById(`media-${e}`)?.textContent,[a,o]=z(!1),s=Ne(`The checked file ${n[0]}`),c=()=>o(!0);if(i===void 0)return K(`p`,{class:`soft`,children:`No preview: this page contains only pictures, films and sounds that have issues or could not be analysed, up to 30 MB, as they were when they were checked.`});if(a)return K(`p`,{class:`soft`,children:`This browser cannot show the file.`});if(t.startsWith(`image/`))return K(`img`,{src:i,alt:s,onError:c});let l={src:i,\"aria-label\":s,onError:c,onLoadedMetadata:({currentTarget:e})=>{r<e.duration&&(e.currentTime=r)},controls:!0,playsInline:!0};return t.startsWith(`audio/`)?K(`audio`,{...l,preload:`metadata`}):K(`video`,{...l,preload:`metadata`})}function Kt({report:e,isAlone:t}){let{nextSteps:n,notices:r,unchecked:i,consequence:a,contact:o,cost:s}=e,{name:c}=Ze(e),l=i.length>0?[`Nobody has looked at these media: ${Ve(i,50)}`]:[],u=at(e),d=n.map(t=>pt(t,e));return K(`header`,{class:c,children:[K(`div`,{children:[K(`h1`,{children:[K(Z,{name:c}),K(`span`,{children:K(J,{text:He(Qe(e),500)})})]}),K(`p`,{children:K(J,{text:a})})]}),K(`div`,{children:[d.length>0&&K(`b`,{children:`What to do`}),u&&K(`p`,{children:K(q,{url:e.run.url,children:u})}),K(`p`,{children:d[0]}),d.length>1&&K(`details`,{open:t,children:[K(`summary`,{children:U(d.length-1,`more step`)}),K(Y,{kind:`sentences`,items:d.slice(1)})]}),d.length>0&&o!==void 0&&K(`p`,{children:[`Questions: `,K(q,{url:o,children:o})]}),K(`details`,{open:t,children:[K(`summary`,{children:[`About this run: `,s,`, `,U(r.length,`notice`)]}),K(`p`,{class:`soft`,children:ft(ut(e).map(([e,t])=>K(q,{url:t,children:e})))}),K(Y,{kind:`sentences`,items:[...l,...r].map(e=>K(J,{text:e}))})]})]})]})}let $=matchMedia(`(max-width: 859px)`).matches,qt=`#at=`;function Jt({report:e,all:t}){let n=It(t),r=()=>new URLSearchParams(location.hash.slice(1)).get(`at`)??($?``:n?.id)??``,[i,a]=z(r),o=t.find(({id:e})=>e===i),[s,c]=z(()=>({...Q,list:(o??n)?.list??`files`})),l=Se(()=>jt(t),[]),u=Se(()=>l(s),[s]),d=o??($?void 0:u.rows[0]),f=xe(null),p=e=>{a(``),c({...s,...e}),location.hash.length>4&&location.replace(qt)};B(()=>{let e=()=>{let e=t.find(({id:e})=>e===r());a(r()),e&&!u.rows.includes(e)&&c({...Q,list:e.list})};return addEventListener(`hashchange`,e),()=>removeEventListener(`hashchange`,e)}),B(()=>{f.current?.scrollTo(0,0),$&&o&&f.current?.focus()},[d]);let m=K(Kt,{report:e,isAlone:t.length===0});return t.length===0?K(`main`,{children:m}):K(`div`,{class:i===``?`page`:`page is-open`,children:[m,K(Vt,{all:t,found:u,view:s,change:p,isOpen:!$}),K(Lt,{report:e,found:u,view:s,change:p,current:d}),K(`section`,{class:`detail`,ref:f,tabIndex:0,\"aria-label\":`The chosen entry`,children:[K(`a`,{class:`back`,href:qt,children:`← List`}),i!==``&&!o?K(`p`,{children:[`This report has no entry `,K(`code`,{children:i}),`. The link may belong to the report of another run.`]}):d&&K(Ht,{row:d,report:e,all:t})]})]})}t.vnode=e=>{typeof e.props==`string`&&(e.props=Ne(e.props))};let Yt=document.getElementById(`app`),Xt=JSON.parse(document.getElementById(`report`)?.textContent??``);Yt?.replaceChildren(),Yt&&ue(K(Jt,{report:Xt,all:xt(Xt)}),Yt)})();";
const STYLE = ":root{color-scheme: light dark;--back: light-dark(#f4f5f7,#0e1116);--panel: light-dark(#ffffff,#161b22);--hover: light-dark(#f0f3f7,#1f2630);--chosen: light-dark(#e6effd,#1b2b44);--soft: light-dark(#59636f,#9aa5b1);--accent: light-dark(#0b5cc4,#6cb0ff);--tone: var(--soft);--line: 1px solid light-dark(#dfe3e8,#2b323c);background: var(--panel);color: light-dark(#1b2027,#e3e8ee);accent-color: var(--accent);font-family: system-ui,sans-serif;font-size: 14px;line-height: 1.5;overflow-wrap: anywhere;}*{box-sizing: border-box;margin: 0;padding: 0;border: 0;}ul{list-style: none;}a{color: var(--accent);}code,pre{font-family: ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size: 0.92em;}h1,h2{font-size: 1.35rem;line-height: 1.3;}h3{margin: 1.4rem 0 0.3rem;font-size: 0.95rem;}button,input{background: none;color: inherit;font: inherit;}:focus-visible{outline: 2px solid var(--accent);outline-offset: -2px;}.soft,.aside,::placeholder{color: var(--soft);}:not(a) > code,.name{display: inline-block;}.sentences li{margin: 0.3rem 0 0.3rem 1.3rem;list-style: disc;}.place,#search,pre{padding: 0.4rem 0.75rem;border: var(--line);border-radius: 6px;background: var(--back);}.icon{flex: none;width: 16px;height: 16px;vertical-align: -3px;fill: var(--tone);stroke-width: 1.6;stroke-linecap: round;stroke-linejoin: round;}.sign{fill: none;stroke: var(--panel);}.file .sign{stroke: currentColor;}.CRITICAL,.fail,.error,.stop{--tone: light-dark(#c11f2e,#ff7b7b);}.MAJOR,.forgiven,.sandbox{--tone: light-dark(#a8500a,#f0a04b);}.MINOR{--tone: light-dark(#7a6400,#dcc04a);}.INFO{--tone: light-dark(#2b66b1,#78b4f5);}.pass{--tone: light-dark(#187a3c,#56c97c);}h1,.stop,.tags [class]{color: var(--tone);}.stop,.stops{font-weight: 600;}.page{display: grid;grid-template: auto minmax(min(34rem,100dvh),1fr) / minmax(12rem,15.5rem) minmax(24rem,5fr) minmax(24rem,7fr);height: 100dvh;}.page > *{min-width: 0;}header{grid-column: 1 / -1;display: grid;grid-template-columns: repeat(2,minmax(0,1fr));gap: 0.25rem 2.5rem;padding: 1rem 1.25rem 0.75rem;border-top: 4px solid var(--tone);border-bottom: var(--line);}h1{display: flex;gap: 0.6rem;}h1 .icon{width: 24px;height: 24px;margin-top: 0.1rem;}h1 + p{margin: 0.3rem 0 0.5rem calc(24px + 0.6rem);}nav{overflow: auto;padding: 0.75rem;}nav button,label{display: flex;align-items: center;gap: 0.45rem;width: 100%;padding: 0.3rem 0.5rem;border-radius: 6px;text-align: left;}nav span:not(.soft){flex: 1;}:is(nav button,label,.row):hover{background: var(--hover);}[aria-current=\"true\"]{background: var(--chosen);}fieldset{max-height: 21rem;overflow: auto;margin-top: 0.75rem;}legend,nav summary{padding: 0 0.5rem;font-weight: 600;}nav > details{margin-top: 1rem;}.page main{display: flex;flex-direction: column;min-height: 0;border-inline: var(--line);}#search{margin: 0.75rem 0.75rem 0;}.found{padding: 0.4rem 0.9rem;}main button{color: var(--accent);}.rows{flex: 1;overflow: auto;}.row{display: grid;grid-template-columns: auto minmax(0,1fr);gap: 0 0.6rem;padding: 0.6rem 0.9rem;border-top: var(--line);color: inherit;text-decoration: none;content-visibility: auto;contain-intrinsic-height: 58px;}.row > .icon{grid-row: 1 / 3;margin-top: 0.2rem;}.found,.line,.tags{display: flex;flex-wrap: wrap;align-items: baseline;gap: 0.1rem 0.75rem;}.found b,.what{flex: 1 0 12rem;}.path,.aside{max-width: 100%;font-size: 0.88rem;}.path{flex: 1 0 auto;}.detail{overflow: auto;padding: 0.75rem 1.5rem 3rem;}.detail > *{max-width: 46rem;}.tags{gap: 0.4rem;margin: 0.3rem 0;}.tags li{padding: 0.15rem 0.65rem;border: var(--line);border-radius: 999px;}.place{margin: 0.75rem 0;}.text,pre{white-space: pre-wrap;}pre{margin-top: 0.5rem;user-select: all;}img,video{display: block;max-width: 100%;max-height: 44vh;margin: 0.4rem auto;background: repeating-conic-gradient(#8883 0 25%,#fff3 0 50%) 0 0 / 16px 16px;}@media (min-width: 860px){.back{display: none;}}@media (max-width: 859px){.page{display: block;height: auto;}header{grid-template-columns: minmax(0,1fr);}.page main{border: 0;}.lists{display: flex;}.detail{position: fixed;inset: 0;outline: 0;padding: 0.75rem;}.page:not(.is-open) > .detail,.is-open > :not(.detail){visibility: hidden;}}";

;// CONCATENATED MODULE: ./lib/src/report/page/page.js






function hash(source) {
    return `'sha256-${(0,external_node_crypto_.createHash)('sha256').update(source).digest('base64')}'`;
}
/** This policy lets the page show its own content and run its own script, but make no request. */
function policy() {
    return [
        `default-src 'none'`,
        `style-src ${hash(STYLE)}`,
        `script-src ${hash(SCRIPT)}`,
        'img-src data:',
        'media-src data:',
        `base-uri 'none'`,
        `form-action 'none'`,
        `require-trusted-types-for 'script'`,
        `trusted-types 'none'`,
    ].join('; ');
}
/**
 * Renders report.html: the report as data, media, and an app that shows them. Media are in scripts of type text/plain,
 * which a browser neither runs nor shows. The app comes last, so that it finds them all.
 *
 * @param media the bytes of files as `data:` addresses, by the SHA-256 of the content
 */
function renderPage(report, media = new Map()) {
    const embedded = Array.from(media, ([sha256, data]) => `<script type="text/plain" id="media-${sha256}">${data}</script>`).join('\n');
    const name = html(truncate(title(report), 500));
    // A text that contains `<` could close the script element around the JSON.
    const data = JSON.stringify(report).replaceAll('<', '\\u003c');
    return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy()}">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">
<title>${name}</title><style>${STYLE}</style></head><body>
<div id="app"><h1>${name}</h1></div>
<noscript><p>This page needs scripts to show the issues. You find the same results in the ${phrases_link(report.run.url, 'summary of the run')}, and in the file <code>report.json</code>, which was written together with this page.</p></noscript>
<script type="application/json" id="report">${data}</script>
${embedded}
<script>${SCRIPT}</script></body></html>
`;
}
/** As Base64, 30 MB of media are 40 MB of text, and a browser opens a page of this size without a delay. */
const MAX_MEDIA_BYTES = 30_000_000;
/**
 * Selects the contents to embed in report.html, in the given order: those that have issues or could not be analysed. Skips
 * those for which too little space is left. No document is embedded: browsers would run the scripts in a PDF.
 */
function mediaToEmbed(contents) {
    let left = MAX_MEDIA_BYTES;
    return contents.filter((content) => {
        const { issues, source, mime, size } = content;
        const isOfInterest = issues.length > 0 || (!isJudged(content) && source !== 'not sent');
        const isEmbedded = isOfInterest && /^(?:image|video|audio)\//.test(mime) && size <= left;
        if (isEmbedded)
            left -= size;
        return isEmbedded;
    });
}

;// CONCATENATED MODULE: ./lib/src/report/sarif.js





/** The limits of code scanning. */
const MAX_RESULTS = 25_000;
const MAX_LOCATIONS = 100;
const sarif_MAX_TEXT_LENGTH = 1_000;
const sarif_LEVELS = {
    CRITICAL: 'error',
    MAJOR: 'warning',
    MINOR: 'note',
    INFO: 'note',
};
/**
 * Renders report.sarif, version 2.1.0, worst issues first. Accepted issues are left out, because code scanning shows
 * even suppressed results as open alerts.
 */
function renderSarif(report) {
    const listed = listIssues(report).filter(({ issue }) => !isAccepted(issue));
    const shown = listed.slice(0, MAX_RESULTS);
    const rules = Map.groupBy(shown, ({ issue }) => ruleId(issue));
    const fingerprint = fingerprints();
    return `${JSON.stringify({
        $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
        version: '2.1.0',
        runs: [
            {
                tool: {
                    driver: {
                        name: 'Media Compliance Gate',
                        rules: Array.from(rules, ([id, [first]]) => {
                            const text = plain(first?.issue.headline || first?.issue.summary || id);
                            return { id, shortDescription: { text: id }, fullDescription: { text }, help: { text } };
                        }),
                    },
                },
                // The part before the last slash is the category, by which code scanning distinguishes gates.
                automationDetails: { id: `${report.gate}/` },
                properties: { resultsLeftOut: listed.length - shown.length },
                results: shown.map((entry) => result(entry, fingerprint(entry), report)),
            },
        ],
    })}\n`;
}
function ruleId(issue) {
    return truncate(visibleLines(issue.ruleCode).trim(), 200) || 'unnamed-rule';
}
/** Escapes brackets, because a bracket would open a link in a SARIF message. */
function plain(text) {
    return visibleLines(truncate(text, sarif_MAX_TEXT_LENGTH)).replace(/[\\[\]]/g, '\\$&');
}
/**
 * Identifies an issue by file, rule, sidekick, and its position among the issues that share these three, because its
 * id at the service changes with every analysis. The fingerprint also replaces `primaryLocationLineHash`, which code
 * scanning would compute from the file's first line, and which would change whenever the media does. Ignore the warning
 * of `upload-sarif` that the hash differs: any other fingerprint closes and reopens every open alert.
 */
function fingerprints() {
    const seen = new Map();
    return ({ content, issue }) => {
        const key = JSON.stringify([content.paths[0], issue.ruleCode, issue.sidekickId ?? '']);
        const place = (seen.get(key) ?? 0) + 1;
        seen.set(key, place);
        return (0,external_node_crypto_.createHash)('sha256').update(`${key}#${place}`).digest('hex').slice(0, 32);
    };
}
function result({ content, issue }, fingerprint, { run }) {
    const why = issue.headline ? `${plain(issue.headline)}: ` : '';
    return {
        ruleId: ruleId(issue),
        level: sarif_LEVELS[issue.severity],
        message: { text: `${issue.severity}: ${why}${plain(issue.summary)}` },
        locations: content.paths.slice(0, MAX_LOCATIONS).map((path) => ({
            physicalLocation: {
                artifactLocation: { uri: encodePath(run.folder + path), uriBaseId: '%SRCROOT%' },
                region: { startLine: 1 },
            },
        })),
        partialFingerprints: { primaryLocationLineHash: `${fingerprint}:1`, 'mediaComplianceIssue/v1': fingerprint },
    };
}

;// CONCATENATED MODULE: ./lib/src/publish/report-folder.js











const SARIF_NAME = 'report.sarif';
const PAGE_NAME = 'report.html';
/** All report files. Each is rendered when it is written, because all texts at once would take too much memory. */
const REPORT_FILES = {
    [PAGE_NAME]: renderPage,
    'report.json': renderJson,
    [SARIF_NAME]: renderSarif,
    'cleared.sha256': renderCleared,
    'predicate.json': renderPredicate,
};
/** The gates and attempts of one run must not take each other's names. */
function artifactNameOf(inputs, context) {
    return `${inputs.name}-report-${gateId({ ...context, ...inputs }).slice(0, 8)}-${context.runAttempt}`;
}
/** @returns the folder with the files */
async function writeReports(report, context) {
    const media = await readPageMedia(report.contents, context.searchRoot);
    const folder = await (0,promises_.mkdtemp)(external_node_path_.join(context.temp, 'gate-'));
    for (const [name, render] of Object.entries(REPORT_FILES))
        await (0,promises_.writeFile)(external_node_path_.join(folder, name), render(report, media));
    return folder;
}
const RETENTION_DAYS = 30;
/**
 * Uploads the page as a separate artifact, which is expected to open with one click. The artifact of the other files does
 * not contain the page, because artifact storage is small.
 *
 * @returns the id of the page's artifact, if GitHub returned one
 */
async function uploadReports(artifact, folder, context) {
    const others = Object.keys(REPORT_FILES).filter((file) => file !== PAGE_NAME);
    await uploadArtifact({
        name: artifact,
        files: others.map((file) => external_node_path_.join(folder, file)),
        retentionDays: RETENTION_DAYS,
    });
    // GitHub names an artifact of one unpacked file after the file.
    const name = `${artifact}.html`;
    const copy = external_node_path_.join(await (0,promises_.mkdtemp)(external_node_path_.join(context.temp, 'gate-')), name);
    await (0,promises_.copyFile)(external_node_path_.join(folder, PAGE_NAME), copy);
    return await uploadArtifact({ name, files: [copy], retentionDays: RETENTION_DAYS, isUnpacked: true });
}
/**
 * Reads the media for report.html. A file that changed after the check is left out: it may now be a link to something
 * that must not be published.
 */
async function readPageMedia(contents, searchRoot) {
    const media = new Map();
    for (const { paths, size, sha256, mime } of mediaToEmbed(contents)) {
        const [file] = paths;
        try {
            await withFile({ path: file, absolutePath: external_node_path_.join(searchRoot, file) }, async (handle) => {
                const { buffer } = await handle.read({ buffer: Buffer.alloc(size) });
                const isSame = (0,external_node_crypto_.createHash)('sha256').update(buffer).digest('hex') === sha256;
                if (isSame)
                    media.set(sha256, `data:${mime};base64,${buffer.toString('base64')}`);
            });
        }
        catch (error) {
            // The path was deleted or is no longer a regular file: the page shows a link instead of a preview.
            if (!(error instanceof GateError))
                throw error;
        }
    }
    return media;
}

;// CONCATENATED MODULE: ./lib/src/publish/publish.js









/** Writes summary, report files, comment, annotations and outputs. A failed write only warns; the verdict stays. */
async function publish(judged, options) {
    const { found, inputs, runner, github, context } = options;
    const { log } = runner;
    const artifact = inputs.reportArtifact && runner.hasArtifacts ? artifactNameOf(inputs, context) : undefined;
    let report = judged;
    const writeSummary = async () => await warnOnError(log, 'the job summary', () => runner.writeSummary(renderSummary(report)));
    for (const notice of report.notices)
        log.info(`Note: ${notice}`);
    const reportDir = await warnOnError(log, 'the report files', () => writeReports(report, context));
    // The summary is written now, in case the upload fails, and again after the upload, with the address of the artifact.
    await writeSummary();
    // A cancelled run has only seconds left, so it uploads and comments nothing.
    if (!found.isCancelled) {
        // The artifact client logs every step, so its output is put into a group.
        const upload = async () => artifact &&
            reportDir &&
            (await log.group('Uploading the report', () => uploadReports(artifact, reportDir, context)));
        const pageId = await warnOnError(log, 'the report artifact', upload);
        if (pageId) {
            report = { ...report, reportUrl: `${context.runUrl}/artifacts/${pageId}` };
            await writeSummary();
        }
        await writeComment(report, { inputs, context, api: github, log });
    }
    if (report.verdict === 'pass' && report.mode === 'sandbox')
        log.warning(title(report));
    const annotated = found.skipped?.isExpected ? { ...report, causes: [] } : report;
    for (const annotation of annotations(annotated, runner.spent))
        runner.annotate(annotation);
    await warnOnError(log, 'the outputs', async () => {
        const written = { reportDir: reportDir ?? '', stateFile: found.stateFile };
        for (const [name, valueOf] of Object.entries(OUTPUTS))
            runner.output(name, String(valueOf(report, written)));
    });
    // GitHub puts "Error: " before the message, so the verdict `error` is not named again.
    if (!report.isPassing)
        runner.fail(report.verdict === 'error' ? report.headline : title(report));
    log.info(`${report.cost}, verdict ${report.verdict}`);
    const [first] = report.nextSteps;
    if (first)
        log.info(`What to do: ${describeSteps([first])}`);
    if (report.reportUrl !== undefined)
        log.info(`Report: ${report.reportUrl}`);
}
/**
 * Reports an error for which there is no report, such as a defect in `judge`. Sets every output, so that no workflow takes
 * a missing output for a pass.
 */
function publishError(error, runner) {
    for (const name of Object.keys(OUTPUTS))
        runner.output(name, '');
    runner.output('verdict', 'error');
    for (const { reason, message } of causesOf(error, nothingFound())) {
        runner.output('reason', reason);
        runner.fail(message);
    }
}
/** If `write` fails, logs a warning and returns undefined. */
async function warnOnError(log, what, write) {
    try {
        return await write();
    }
    catch (error) {
        log.warning(`Could not write ${what}: ${messageOf(error).replace(/\.$/, '')}. The verdict is not affected.`);
        return undefined;
    }
}
/**
 * The outputs, in the order of action.yml. Every verdict sets all outputs, so that a workflow can read any of them.
 * The paths are absolute. A path is empty if nothing was written to it.
 */
const OUTPUTS = {
    verdict: ({ verdict }) => verdict,
    reason: ({ reason }) => reason,
    mode: ({ mode }) => mode,
    'submission-id': ({ submission }) => submission.id,
    'submission-status': ({ submission }) => submission.status,
    'issue-count': ({ counts }) => counts.issues,
    'critical-count': ({ counts }) => counts.bySeverity.CRITICAL,
    'major-count': ({ counts }) => counts.bySeverity.MAJOR,
    'minor-count': ({ counts }) => counts.bySeverity.MINOR,
    'info-count': ({ counts }) => counts.bySeverity.INFO,
    'new-issue-count': ({ counts }) => counts.newIssues ?? '',
    'highest-severity': ({ counts }) => SEVERITIES.find((severity) => counts.bySeverity[severity] > 0) ?? '',
    'files-matched': ({ counts }) => counts.filesMatched,
    'files-submitted': ({ counts }) => counts.filesSubmitted,
    'files-reused': ({ counts }) => counts.filesReused,
    'assets-failed': ({ counts }) => counts.assetsFailed,
    'assets-submitted': ({ counts }) => counts.assetsSubmitted,
    'report-dir': (_, { reportDir }) => reportDir,
    'state-file': (_, { stateFile }) => stateFile,
    'report-url': ({ reportUrl = '' }) => reportUrl,
    'sarif-file': ({ fitsCodeScanning }, { reportDir }) => reportDir !== '' && fitsCodeScanning ? external_node_path_.join(reportDir, SARIF_NAME) : '',
};

;// CONCATENATED MODULE: ./lib/src/report/headline.js




/** The sentences about a run as a whole, which are the same in every report. */
function describeRun(facts) {
    return {
        headline: withName(headline(facts), facts.gate),
        consequence: `A service analyses this repository's media. ${describeMeaning(facts)}`,
        cost: describeCost(facts),
    };
}
/** Adds the name of the gate, if it has one of its own. The text is cut, so that no renderer cuts off the name. */
function withName(text, name) {
    return name === DEFAULT_NAME ? text : `${truncate(text, 300)} · ${name}`;
}
function headline(facts) {
    const { mode, verdict, isPassing, counts, causes, reason } = facts;
    const sandbox = mode === 'sandbox' ? ' (sandbox: nothing was analysed)' : '';
    switch (verdict) {
        case 'fail':
            return describeFailing(facts) + sandbox;
        case 'pass':
            return sandbox === '' ? describePassing(facts) : 'nothing was analysed';
        case 'error': {
            const number = isPassing ? `${count(counts.filesUnjudged)} of ${plural(counts.filesMatched, 'file')}: ` : '';
            return number + describeCauses(causes) + sandbox;
        }
        case 'skipped':
            return reason === 'dry-run' ? describeDryRun(facts) : describeCauses(causes);
    }
}
function describeFailing(facts) {
    const listed = issuesWith('Stops the check', facts);
    const [first] = listed;
    return joinParts(first && listed.length === 1 ? describeOnly(first) : describeSeveral(listed, facts), describeLastKnown(facts));
}
/** The file and the issue itself: "campaign/hero.mp4: A food may not be said to prevent a disease". */
function describeOnly({ content, issue }) {
    const text = truncate(headlineOf(issue), 200).replace(/\s+/g, ' ').trim().replace(/\.$/, '');
    return `${formatList(content.paths, 1)}${untouched(content)}: ${text || `${issue.severity} ${issue.ruleCode}`}`;
}
/** "40 CRITICAL issues in 12 files, 7 of them changed by this pull request". */
function describeSeveral(listed, { counts }) {
    const contents = [...new Set(listed.map(({ content }) => content))];
    const own = countFiles(contents.filter(({ isChanged }) => isChanged));
    const isKnown = contents.every(({ isChanged }) => isChanged !== undefined);
    const whose = isKnown ? `, ${own === 0 ? 'none' : count(own)} of them changed by this pull request` : '';
    const what = formatSeverities(listed.map(({ issue }) => issue));
    return `${what.join(', ')} issues in ${count(countFiles(contents))} of ${plural(counts.filesMatched, 'file')}${whose}`;
}
function describePassing(facts) {
    const { counts, unchecked, contents } = facts;
    const remembered = contents.filter(({ isLastKnown }) => isLastKnown);
    const checked = counts.filesMatched - countFiles(remembered);
    const criticals = countCriticals(facts);
    return joinParts(`${plural(checked, 'file')} checked${criticals > 0 ? `, ${count(criticals)} CRITICAL known` : ''}`, describeLastKnown(facts), unchecked.length > 0 && `${count(unchecked.length)} not checked: ${formatList(unchecked, 1)}`);
}
/** Counts the CRITICAL issues that nobody has accepted. If the run passes, the files with these issues can be published. */
function countCriticals({ contents }) {
    const open = contents.flatMap(({ issues }) => issues.filter((issue) => !isAccepted(issue)));
    return countBySeverity(open).CRITICAL;
}
function describeDryRun(facts) {
    const problems = problemsOf(facts);
    const unsent = facts.contents.filter(({ source }) => source === 'not sent').length;
    const planned = `In a real run: ${describeSources(facts, unsent)}.`;
    return `This was a dry run. ${problems.length === 0 ? planned : `A real run would stop: ${describeCauses(problems)}`}`;
}
function describeCauses([first, ...others]) {
    if (!first)
        return 'nothing was checked';
    const problems = others.length === 0 ? '' : `${count(others.length + 1)} problems, the first: `;
    return `${problems}${first.path === undefined ? '' : `${first.path}${untouched(first)}: `}${first.message}`;
}
function untouched({ isChanged }) {
    return isChanged === false ? ` (${UNTOUCHED})` : '';
}
function joinParts(...parts) {
    return parts.filter(Boolean).join('; ');
}
/** "2 files judged by last known issues, from 2026-11-01": the day of the oldest result. Empty if there are none. */
function describeLastKnown({ contents }) {
    const remembered = contents.filter(({ isLastKnown }) => isLastKnown);
    const [oldest] = remembered.map(({ analysedAt = '' }) => analysedAt).toSorted();
    return oldest ? `${plural(countFiles(remembered), 'file')} judged by last known issues, from ${day(oldest)}` : '';
}
/** What the verdict means for the media or, if the check fails, for the merge. */
function describeMeaning(facts) {
    if (!facts.isPassing)
        return describeBlocked(facts.run);
    if (signOf(facts).name !== 'pass')
        return 'The check passes, but this is not a clearance.';
    if (facts.unchecked.length > 0 || countCriticals(facts) > 0)
        return 'The check passes, but not all media are cleared.';
    return 'Nothing has to be done.';
}
/** What a red check means for the change, or for the branch or tag if the run is not about a change. */
function describeBlocked({ subject, branch }) {
    if (subject === 'pull request')
        return 'If this check is required, the change cannot be merged.';
    if (subject === 'merge group')
        return 'If this check is required, the change leaves the merge queue.';
    return `\`${branch.replace(/^refs\/tags\//, '') || 'HEAD'}\` holds files that are not cleared.`;
}
/** "12 billed, 340 reused". The numbers count contents, as the bill does. A sandbox bills nothing. */
function describeCost(facts) {
    const { causes, counts, submission } = facts;
    if (causes.some(({ submission }) => submission === 'unconfirmed'))
        return 'unknown: a submission may exist';
    const doubt = submission.mayExistTwice ? ', two submissions may exist' : '';
    return describeSources(facts, counts.assetsSubmitted) + doubt;
}
function describeSources({ contents, mode }, sent) {
    const { awaited = [], reused = [] } = Object.groupBy(contents, ({ source }) => source);
    const waiting = awaited.length > 0 ? `${count(awaited.length)} awaited, ` : '';
    return `${count(sent)} ${mode === 'sandbox' ? 'sent' : 'billed'}, ${waiting}${count(reused.length)} reused`;
}

;// CONCATENATED MODULE: ./lib/src/report/steps.js



/** How many files a step names. */
const MAX_NAMED = 2;
/** The guide names the same variable, so change both together. */
const FORGIVE = workflowOwner('If changes may pass unchecked during the outage, set `on-service-error` to `warn` (in the example workflows by the variable `COMPLIANCE_ON_SERVICE_ERROR`), and set it back afterwards.');
/** Completes the steps of each cause, and merges them with the steps of the run into `nextSteps`. */
function completeSteps(facts, sources) {
    const causes = facts.causes.map((cause) => ({ cause, steps: stepsOfCause(cause, facts, sources) }));
    const ofCauses = causes.flatMap(({ steps }) => steps);
    return {
        causes: causes.map(({ cause, steps }) => ({ ...cause, steps: mergeSteps(steps, facts) })),
        nextSteps: mergeSteps(stepsFor(facts, ofCauses, sources), facts),
    };
}
/** The steps of a cause, with advice that depends on the rest of the run. */
function stepsOfCause({ steps, submission, isChanged, reason, path }, { verdict, isPassing, mode }, { stateFile, created }) {
    const bills = mode === 'live' ? ' and bills' : '';
    // Without a saved state, a later run cannot find the submission that this run created.
    const isLost = stateFile === '' && created !== undefined;
    const again = rerun(undefined, `It sends${bills} all files again, because this run could not save its state (see \`state-file\`).`);
    const note = `It waits for the analysis that is still running, and sends${bills} only what has failed by then.`;
    const withCost = (step) => {
        if (step.actor !== 'anyone')
            return step;
        if (isLost)
            return again;
        return submission === 'open' ? rerun(step.text, note) : step;
    };
    return [
        ...steps.map((step) => (isChanged === false && step.actor === 'author' ? onBase(step) : step)).map(withCost),
        ...(reason === 'service' && verdict === 'error' && !isPassing ? [FORGIVE] : []),
    ].map((step) => [step, path === undefined ? [] : [path]]);
}
/** The step of an author, for a file that the pull request does not change. */
function onBase({ text }) {
    const fix = text.replace(/^./, (first) => first.toLowerCase());
    return workflowOwner(`On the base branch: ${fix}`);
}
function stepsFor(facts, ofCauses, { waivers, service }) {
    const { verdict, mode, unchecked, reason, waiversFile } = facts;
    const stops = issuesWith('Stops the check', facts);
    const live = workflowOwner('To have the files analysed, use a live key (`sk_live_…`).');
    const fix = author(`Correct or replace ${FILE}, commit and push.`);
    const fixes = stops.map(({ content: { isChanged, paths } }) => [isChanged === false ? onBase(fix) : fix, paths]);
    // If no waiver counts in this run, solve that first: another waiver would not count either.
    const waive = waivers?.whyNoneCounts === undefined ? waiveStep(facts) : workflowOwner(waivers.whyNoneCounts);
    const accept = [dismissStep(mode, service), ...(waiversFile === undefined ? [] : [waive])];
    const select = workflowOwner(`If ${FILE} should be checked, add to the input \`files\`, or export as MP4, MP3, PNG or PDF, for example. If not, exclude with a \`!\` line there.`);
    return [
        ...(verdict === 'pass' && mode === 'sandbox' ? [[live, []]] : []),
        ...fixes,
        ...ofCauses,
        ...(stops.length > 0 ? accept.map((step) => [step, []]) : []),
        ...(unchecked.length > 0 && reason !== 'no-key' ? [[select, unchecked]] : []),
    ];
}
/** Merges equal steps into one step that names all files. The steps of the author come first. */
function mergeSteps(steps, { run }) {
    const groups = Map.groupBy(steps, ([step]) => JSON.stringify(step));
    const merged = [...groups.values()].flatMap((group) => {
        const names = new Set(group.flatMap(([, paths]) => paths.map((path) => `\`${path}\``)));
        const files = names.size === 0 ? 'the file' : formatList([...names], MAX_NAMED);
        return group.slice(0, 1).map(([step]) => ({ ...step, text: step.text.replaceAll(FILE, () => files) }));
    });
    const sorted = merged.toSorted((one, other) => Number(other.actor === 'author') - Number(one.actor === 'author'));
    return sorted.map((step) => step.actor === 'author' && run.subject !== 'pull request' ? { ...step, actor: 'file owner' } : step);
}
function dismissStep(mode, service) {
    const host = service ? ` (\`${new URL(service.baseUrl).host}\`)` : '';
    const cost = mode === 'live' ? ' Nothing is billed again.' : '';
    return accountOwner(`If an issue is wrong, dismiss it at the service${host} and re-run this job.${cost}`);
}
function waiveStep({ waiversFile, run }) {
    const merge = `If an issue is acceptable, merge a waiver into \`${waiversFile}\`, in a pull request of its own.`;
    const update = 'Then update this branch from its base: a re-run alone does not read it.';
    return workflowOwner(run.pullRequest ? `${merge} ${update}` : merge);
}

;// CONCATENATED MODULE: ./lib/src/report/build.js








/** Builds the object from which all report files, the comment, the annotations and the outputs are made. */
function buildReport(sources) {
    const { found, verdict, inputs, context, now, isChanged } = sources;
    const { files, unchecked } = found.discovery;
    const contents = inReportOrder(verdict.contents.map((judged) => reportedContent(judged, sources)), (content) => placeOf(content, verdict.reason === 'dry-run'));
    const hasBaseline = found.history.baseline !== undefined;
    const counts = countsOf(contents, files.length, hasBaseline);
    const facts = {
        gate: inputs.name,
        judgedAt: now.toISOString(),
        verdict: verdict.name,
        reason: verdict.reason,
        isPassing: verdict.isPassing,
        mode: inputs.service?.mode ?? '',
        causes: reportedCauses(sources),
        counts,
        contents,
        notices: [
            ...found.notices,
            ...(found.waivers?.notices(found.pathsBeforeOnlyChanged) ?? []),
            ...(inputs.policy.failOnIssues === 'new' && !hasBaseline ? [explainUncompared(sources)] : []),
        ],
        unchecked: [
            ...(verdict.reason === 'no-key' ? files.map(({ path }) => path) : []),
            ...unchecked.filter((path) => isChanged(path) !== false),
        ],
        policy: inputs.policy,
        waiversFile: inputs.waiversFile,
        contact: inputs.contact,
        submission: submissionOf(found),
        fitsCodeScanning: fitsCodeScanning(sources, counts),
        run: runOf(context),
    };
    return { ...facts, ...describeRun(facts), ...completeSteps(facts, { ...found, service: inputs.service }) };
}
function runOf(context) {
    const { repository, event, eventCommit, runUrl: url, serverUrl, branch, pullRequest: pull } = context;
    const isAboutPull = pull !== undefined || event.startsWith('pull_request');
    const subject = isAboutPull ? 'pull request' : event === 'merge_group' ? 'merge group' : 'branch';
    const pullRequest = pull?.number === undefined ? undefined : { number: pull.number, headCommit: eventCommit, url: pull.url };
    const { commit } = checkedCommit(context);
    return { repository, serverUrl, branch, commit, folder: folderIn(context), url, subject, pullRequest };
}
/** Why `fail-on-issues: new` had nothing to compare with, and from when on it will. */
function explainUncompared({ found, context }) {
    const branch = `\`${context.baseBranch ?? context.branch}\``;
    const why = 'There was nothing to compare with, so every issue counts:';
    if (!found.history.isCompared)
        return `${why} a run by \`${context.event}\` is not compared, or another commit than its own is checked out. Runs on a branch (\`push\`, \`schedule\`, \`workflow_dispatch\`) are compared from the second commit on, pull requests with their base branch.`;
    if (context.baseBranch === undefined)
        return `${why} no run of an earlier commit of ${branch} was found. From the next commit on, the issues of this run are known and do not stop the check.`;
    return `${why} no analysis of ${branch}, the base branch, was found. Run this gate on \`push\` to ${branch} as well: once such a run has ended, pull requests are compared with it.`;
}
/** Whether a live run judged every file that `files` selects, at the commit that code scanning would show. */
function fitsCodeScanning({ found, verdict, inputs, context }, counts) {
    const isLive = inputs.service?.mode === 'live' && (verdict.name === 'pass' || verdict.name === 'fail');
    const isWhole = counts.filesUnjudged === 0 && counts.filesMatched === found.pathsBeforeOnlyChanged.length;
    return isLive && isWhole && isScannedCommit(context);
}
function submissionOf({ submissionIds, created, response, plan, skipped }) {
    const [id = ''] = submissionIds;
    const isReused = plan.contents.length > 0 && id === '' && contentsToSend(plan).length === 0 && !skipped;
    // The status is an output, which a workflow may insert into a script, so another word than the contract's is left out.
    const { phase = 'unknown', word = '' } = response?.status ?? {};
    const known = phase === 'unknown' ? 'unknown' : word;
    return {
        id,
        status: isReused ? 'reused' : id === '' ? '' : known,
        mayExistTwice: created?.mayExistTwice ?? false,
    };
}
function countsOf(contents, filesMatched, hasBaseline) {
    const active = contents.flatMap(({ issues }) => issues.filter(({ standing }) => standing === 'active'));
    const { sent = [], reused = [], awaited = [] } = Object.groupBy(contents, ({ source }) => source);
    return {
        issues: active.length,
        newIssues: hasBaseline ? active.filter(({ isNew }) => isNew).length : undefined,
        bySeverity: countBySeverity(active),
        filesMatched,
        filesUnjudged: filesMatched - countFiles(contents.filter(isJudged)),
        filesSubmitted: countFiles(sent),
        filesReused: countFiles([...reused, ...awaited].filter(isJudged)),
        assetsSubmitted: sent.length,
        assetsFailed: contents.filter(({ outcome }) => outcome === 'failed' || outcome === 'retryable').length,
    };
}
/** Causes of files that the pull request changes come first, then the path decides. */
function reportedCauses({ verdict, isChanged }) {
    const causes = verdict.causes.map((cause) => {
        return { ...cause, isChanged: cause.path === undefined ? undefined : isChanged(cause.path) };
    });
    return inReportOrder(causes, (cause) => cause);
}
/** How the analysis was obtained or, if the run stopped early, how it would have been obtained. */
function originOf({ source }, { created }) {
    if (source.kind === 'sent')
        return { source: created ? 'sent' : 'not sent', sourceReason: source.why };
    const sourceReason = `${isAnalysed(source.record) ? 'unchanged since' : 'sent'} ${day(source.record.at)}`;
    return { source: source.kind, sourceReason };
}
function reportedContent(judged, { found, inputs, isChanged, now }) {
    const { content, source, analysis, outcome, lastKnown, issues } = judged;
    const { paths, size, sha256, type } = content;
    const { submissionId, assetId, versionNumber, versionCount, topics = [] } = analysis ?? {};
    const atService = { submissionId, assetId, versionNumber, versionCount, outcome, topics };
    const earlier = lastKnown ?? (source.kind !== 'sent' && isAnalysed(source.record) ? source.record : undefined);
    return {
        paths,
        size,
        sha256,
        isChanged: isAnyChanged(content, isChanged),
        mime: type?.mime ?? 'application/octet-stream',
        category: type?.category,
        ...originOf(judged, found),
        analysedAt: earlier?.at ?? (isJudged(judged) ? now.toISOString() : undefined),
        isLastKnown: lastKnown !== undefined,
        ...atService,
        issues: issues.map(({ of, ...issue }) => ({
            ...issue,
            url: inputs.issueUrl && linkTo(issue, of, inputs.issueUrl),
        })),
    };
}
function isAnyChanged({ paths }, isChanged) {
    const each = paths.map(isChanged);
    return each.includes(true) || (each.includes(undefined) ? undefined : false);
}
/** Fills in the placeholders of the template. A value is encoded, so that it cannot change the rest of the address. */
function linkTo({ id, referenceNumber }, { submissionId, assetId }, template) {
    const values = { referenceNumber, issueId: id, assetId, submissionId };
    return template.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(values[name] ?? '').toWellFormed()));
}
/** What stops the check comes first: with such an issue, or without a verdict. In a dry run, what a real run would send. */
function placeOf(content, isDryRun) {
    const active = content.issues.filter(({ standing }) => standing === 'active');
    const stops = !isJudged(content) || active.some(({ failsGate }) => failsGate);
    const isFirst = isDryRun ? content.source === 'not sent' : stops;
    return { effectRank: isFirst ? 0 : 1, isChanged: content.isChanged, issue: active[0], path: content.paths[0] };
}

;// CONCATENATED MODULE: ./lib/src/service/extras.js






/** The time limit for reading topics and versions, which no verdict depends on. */
const EXTRAS_MS = 15_000;
/** Adds topics and the number of versions of one submission's assets. What the service cannot deliver is left out. */
async function withExtras(submissionId, analyses, { client, deadline }) {
    const extrasDeadline = { ...deadline, until: performance.now() + EXTRAS_MS };
    const read = async (list, ...ids) => {
        if (performance.now() >= extrasDeadline.until)
            return undefined;
        return await client.readList(list, ids, extrasDeadline).catch((error) => {
            if (!(error instanceof ServiceError))
                throw error;
        });
    };
    const isAnyLater = analyses.some(({ versionNumber = 1 }) => versionNumber > 1);
    const versions = isAnyLater ? await read('readVersions', submissionId) : undefined;
    return await concurrently(analyses, MAX_CONCURRENT_REQUESTS, async (analysis) => {
        const { assetId, issues } = analysis;
        const hasTopics = assetId !== undefined && issues.length > 1;
        const topics = hasTopics ? parseTopics(await read('readTopics', submissionId, assetId), issues) : [];
        return { ...analysis, topics, versionCount: countVersions(versions, analysis) };
    });
}
const Version = dist/* object */.Ikc({ versionGroupId: dist/* string */.YjP() });
/** Counts the versions of an asset. A list that ends before the version of the asset is incomplete, so it is not used. */
function countVersions(response, { versionGroupId = '', versionNumber = 1 }) {
    const versions = entriesOf(response).filter((entry) => dist.is(Version, entry));
    const { length } = versions.filter((version) => idKey(version.versionGroupId) === idKey(versionGroupId));
    return versionNumber > 1 && length >= versionNumber ? length : undefined;
}

;// CONCATENATED MODULE: ./lib/src/service/asset.js




/** Adds a new entry of the list to what is known of an asset. @param isRunning whether the submission is */
function withEntry(before, listed, isRunning) {
    if (!before)
        return { listed, retry: { accepted: 0 } };
    const hasRetried = isRunning || listed.retryCount > before.listed.retryCount;
    // A retry, of whomever, makes an earlier failure untrue, so the asset is read again.
    const isOutdated = hasRetried && before.response?.status.phase === 'failed';
    return { ...before, listed, response: isOutdated ? undefined : before.response };
}
/** Adds the asset's own response. */
function withResponse(asset, response) {
    const { filename } = response;
    const { countBefore } = asset.retry;
    const isHidden = countBefore !== undefined && asset.listed.retryCount <= countBefore;
    return isHidden && response.status.phase === 'failed'
        ? { ...asset, filename }
        : { ...asset, response, filename, retry: { ...asset.retry, countBefore: undefined } };
}
/** Whether an accepted retry has not ended. */
function isRetrying({ response, retry }) {
    const isShown = retry.countBefore === undefined;
    return retry.accepted > 0 && (!isShown || response?.status.phase === 'running');
}
/** Every issue that the newest responses have. */
function issuesOf({ response, enriched }) {
    return joinById(parseIssues(enriched), parseIssues(response?.issues));
}
/** The highest count that a response gives. Undefined if none gives one. */
function countOf({ listed, response, enriched }) {
    const counts = [listed.issueCount, response?.issueCount].filter((each) => typeof each === 'number');
    const lengths = [response?.issues, enriched].map(lengthOf);
    return counts.length === 0 ? undefined : Math.max(...counts, ...lengths);
}
/**
 * How many issues a list has. An entry that cannot be read counts, and an issue that is repeated counts once. An object may
 * hold other lists beside that of the issues, so its entries are not counted.
 */
function lengthOf(list) {
    if (!Array.isArray(list))
        return 0;
    const issues = parseIssues(list);
    return list.length - issues.length + joinById(issues, []).length;
}
/** The fact that is missing for a verdict about a complete asset. Undefined if every issue was read. */
function missingFact(asset) {
    const counted = countOf(asset);
    if (counted === undefined)
        return 'The service says that the analysis is complete, but not how many issues it found.';
    const { length } = issuesOf(asset);
    return counted > length
        ? `The service counts ${plural(counted, 'issue')}, but only ${length} could be read.`
        : undefined;
}
/** Whether this run knows all issues of an asset. */
function isRead(asset) {
    const { response, listed, earlier, enriched } = asset;
    if (response)
        return response.status.phase === 'complete' && missingFact(asset) === undefined;
    if (!earlier || failureText(listed) !== '')
        return false;
    if (listed.issueCount === 0 && earlier.issues.length === 0)
        return true;
    // If there are fewer issues than before, the asset's own response must say that its analysis is complete.
    const areFewer = issuesOf(asset).length < earlier.issues.length;
    return enriched !== undefined && !areFewer && missingFact(asset) === undefined;
}
/** Whether a request may change what is known of an asset. */
function needsReading(asset) {
    return !isRead(asset) && (asset.earlier !== undefined || asset.response?.status.phase !== 'failed');
}
/** Makes one attempt to read what is missing about an asset. Throws if the service rejects every request. */
async function readAsset(submissionId, before, { client, deadline }) {
    const { listed, earlier } = before;
    const withList = async (reading) => {
        const list = await orError(client.readList('readIssues', [submissionId, listed.assetId], deadline));
        return list instanceof ServiceError ? { ...reading, error: list } : { ...reading, enriched: list };
    };
    let reading = { ...before, error: undefined };
    const mayBeEnough = earlier && typeof listed.issueCount === 'number' && failureText(listed) === '';
    if (mayBeEnough) {
        reading = await withList({ ...reading, response: undefined });
        if (isRead(reading))
            return reading;
    }
    const response = await orError(client.readAsset(submissionId, listed.assetId, deadline));
    if (response instanceof ServiceError)
        return { ...reading, error: response };
    reading = withResponse(reading, response);
    if (response.status.phase !== 'complete' || countOf(reading) === 0)
        return { ...reading, error: undefined };
    return mayBeEnough ? reading : await withList(reading);
}

;// CONCATENATED MODULE: ./lib/src/service/outcome.js





/** What this run has read about a file: its outcome, why, and its issues. */
function analysisOf(facts) {
    const { content, submissionId, earlier } = facts;
    const [asset] = facts.own;
    return {
        content,
        submissionId,
        ...conclude(facts),
        issues: asset ? issuesOf(asset) : [],
        topics: earlier?.topics ?? [],
        assetId: asset?.listed.assetId ?? earlier?.assetId,
        versionNumber: asset?.listed.versionNumber ?? earlier?.versionNumber,
        versionGroupId: asset?.listed.versionGroupId ?? undefined,
        isSuspicious: isSuspicious(facts),
    };
}
function conclude(facts) {
    const { earlier, submission, isMissing, own, foreign, mode } = facts;
    const { response, error } = submission;
    const status = response?.status;
    const [asset, second] = own;
    if (mode === 'sandbox' && status?.phase === 'complete')
        return RESULT;
    if (status?.phase === 'unknown')
        return unclear(facts, describeUnknown('the submission', status.word));
    if (!earlier && foreign.length > 0)
        return unclear(facts, describeForeign(foreign));
    if (second)
        return unclear(facts, `The submission has ${plural(own.length, 'asset')} with the name of this file`);
    if (asset && isRead(asset))
        return RESULT;
    if (isMissing)
        return missing(facts);
    if (!response)
        return prevented(facts, error);
    return earlier ? concludeAnalysed(facts) : concludeOpen(facts, response);
}
/** An earlier run has read the file's result. It never fails: what contradicts the result is unclear. */
function concludeAnalysed(facts) {
    const [asset] = facts.own;
    if (!asset)
        return unclear(facts, 'The submission of this file no longer lists it.');
    const assetStatus = asset.response?.status;
    const failure = failureText(asset.listed) ||
        (assetStatus && assetStatus.phase !== 'complete' && `it has the status "${assetStatus.word}"`);
    if (isPrevented(asset) && !failure && !isAbove(asset))
        return prevented(facts, asset.error);
    const now = failure || missingFact(asset) || asset.error?.message || 'it shows fewer issues';
    return unclear(facts, `An earlier run has read the results of this file, but the service contradicts them: ${now}`);
}
/** No run has read a result of the file before. */
function concludeOpen(facts, response) {
    const { submission, unnamed } = facts;
    const [asset] = facts.own;
    const assetStatus = asset?.response?.status;
    switch (assetStatus?.phase) {
        case 'failed':
            return failed(facts, asset);
        case 'unknown':
            return unclear(facts, describeUnknown('this file', assetStatus.word));
        case 'complete':
            if (asset?.error?.preventsReading)
                return prevented(facts, asset.error);
            return unclear(facts, asset && missingFact(asset));
        case 'running':
        case undefined:
            if (submission.error)
                return prevented(facts, submission.error);
            if (response.status.phase === 'running' || (asset ? [asset] : unnamed).some(isRetrying))
                return working(response);
            if (assetStatus)
                return unclear(facts, `The submission has ended, but this file has the status "${assetStatus.word}"`);
            return concludeUnnamed(facts, response);
    }
}
/** The submission has ended, and it is unknown which asset is the file, because none with its name was read. */
function concludeUnnamed(facts, response) {
    const { unnamed } = facts;
    const unread = unnamed.find(isPrevented);
    if (unread)
        return prevented(facts, unread.error);
    if (unnamed.length > 0)
        return unclear(facts, `${plural(unnamed.length, 'asset')} of the submission could not be read, so it is unknown which is this file: ${formatList(unnamed.map(describeAsset))}`);
    if (!response.assets)
        return unclear(facts, 'The service has not listed the assets of the submission');
    if (response.status.phase === 'failed')
        return failed(facts, undefined);
    return unclear(facts, 'The submission has no asset with the name of this file');
}
const RESULT = { outcome: 'result' };
/** Whether an outage, a refusal, a rate limit or the deadline kept an asset from being read. */
function isPrevented({ response, enriched, error }) {
    return error?.preventsReading ?? !(response ?? enriched);
}
/** Whether the service counts more issues than are known. */
function isAbove(asset) {
    const known = [...issuesOf(asset), ...(asset.earlier?.issues ?? [])];
    const ids = new Set(known.map(({ id }) => idKey(id)));
    return (countOf(asset) ?? 0) > ids.size;
}
/** Whether the service has reported something against a file: its failure, an error text, or an issue that is not known. */
function isSuspicious({ earlier, submission: { response }, own, unnamed, foreign }) {
    const possible = earlier || own.length > 0 ? own : unnamed;
    const hasFailed = Boolean(response?.errorMessage) || response?.status.phase === 'failed';
    return ((hasFailed && !earlier) ||
        foreign.length > 0 ||
        possible.some((asset) => failureText(asset.listed) !== '' || isAbove(asset)));
}
function working(response) {
    const message = asSentence(`The analysis was not finished in time: ${describeProgress(response)}`);
    const cause = { reason: 'timeout', message, steps: [LATER], submission: 'open' };
    return { outcome: 'working', cause };
}
/**
 * After an outage, a rate limit or the deadline, an analysed file is `last-known` and any other `unread`. After a refusal,
 * both are `unread`.
 */
function prevented(facts, error) {
    const { earlier, submission } = facts;
    const outcome = earlier && (error?.stopsReading ?? true) ? 'last-known' : 'unread';
    if (!error) {
        const message = 'There was no time left to read the results.';
        return { outcome, cause: { reason: 'timeout', message, steps: [rerun()] } };
    }
    if (!error.preventsReading)
        return unclear(facts, error.message);
    const cause = { ...explain(error), ...(!earlier && { submission: 'open' }) };
    return { outcome, cause: error === submission.error ? cause : outcome_aboutFile(facts, cause) };
}
function outcome_aboutFile({ content }, cause) {
    return { ...cause, path: content.paths[0] };
}
function unclear(facts, message = 'The service gives no results of this file') {
    const read = rerun('Re-run this job to read the results again.', 'It sends nothing again for this.');
    const steps = [read, SUPPORT, sendAlone(facts)];
    return { outcome: 'unclear', cause: outcome_aboutFile(facts, { reason: 'results', message: asSentence(message), steps }) };
}
function missing(facts) {
    const message = asSentence(`${facts.submission.error?.message}`);
    const note = `It ${sends(facts)} the file again.`;
    const steps = [rerun('If the service has deleted the submission, re-run this job.', note), SUPPORT];
    return { outcome: 'missing', cause: outcome_aboutFile(facts, { reason: 'results', message, steps }) };
}
function failed(facts, asset) {
    const { submission, mode } = facts;
    const ofFile = asset ? failureText(asset.listed) : '';
    const ofAll = submission.response?.errorMessage;
    const said = ofFile || (ofAll && `it says about the whole submission: ${ofAll}`) || 'it gives no reason';
    const error = asset?.retry.error;
    const noMore = error ? ` It was not retried: ${error.message}.` : '';
    const message = `${asSentence(`The service could not analyse the file: ${said}`)}${noMore}`;
    const isRetryable = asset?.listed.isRetryable === true;
    const resend = `It ${sends(facts)} the same bytes again.`;
    // A sandbox analyses nothing, so no file is to blame there.
    const ofFailed = ofFile !== '' && mode === 'live'
        ? [
            author(`Check that ${FILE} can be opened. If not, replace it, commit and push.`),
            rerun(`If ${FILE} can be opened, re-run this job.`, resend),
        ]
        : [rerun(undefined, resend), SUPPORT];
    const steps = isRetryable
        ? [rerun(undefined, 'It retries at no cost what has failed.'), SUPPORT, sendAlone(facts)]
        : ofFailed;
    const cause = outcome_aboutFile(facts, { reason: 'asset-failed', message, steps });
    return { outcome: isRetryable ? 'retryable' : 'failed', cause };
}
/** The step for a file that no re-run sends again. */
function sendAlone(facts) {
    return workflowOwner(`To have ${FILE} analysed again, run once with \`reuse-days: 0\` and with nothing else in \`files\`. It ${sends(facts)} all that \`files\` selects then.`);
}
function sends({ mode }) {
    return mode === 'sandbox' ? 'sends' : 'sends and bills';
}
function asSentence(text) {
    return text.replace(/\.*$/, '.');
}
function describeUnknown(subject, word = '') {
    return `The service reports the status "${word}" for ${subject}, which is none of its documented statuses`;
}
function describeForeign(foreign) {
    return `The submission has ${plural(foreign.length, 'asset')} with issues, or not read, that cannot be assigned to a file (${formatList(foreign.map(describeAsset))}), so none of its files passes`;
}
function describeAsset({ filename, listed, error }) {
    return filename ?? `${listed.assetId} (${error?.message ?? 'not read'})`;
}
/** Returns a text such as "processing, 40 %. The service says: …". */
function describeProgress({ status, progressPercent, errorMessage }) {
    const percent = progressPercent && status.phase === 'running' ? `, ${progressPercent} %` : '';
    const progress = `${status.word}${percent}`;
    return errorMessage ? `${progress}. The service says: ${errorMessage}` : progress;
}

;// CONCATENATED MODULE: ./lib/src/service/submission.js




/** Adds what came of a request for the submission. Without a list, its assets stay as they are. */
function withReply(before, reply) {
    if (reply instanceof ServiceError)
        return { ...before, error: reply };
    const relisted = reply.assets?.map((entry) => {
        const key = idKey(entry.assetId);
        return [key, withEntry(before.assets.get(key), entry, reply.status.phase === 'running')];
    });
    const assets = relisted ? new Map(relisted) : before.assets;
    return { response: reply, assets };
}
/** Finds the files of a submission among its assets. */
function findAssets({ assets }, { files, knownAssets }) {
    const open = files.filter(({ earlier }) => !earlier);
    const others = [...assets].filter(([key]) => !knownAssets.has(key)).map(([, asset]) => asset);
    const all = open.length > 0 ? others : [];
    const byDigits = new Map();
    for (const asset of all) {
        for (const digits of new Set(digitsIn(asset.filename ?? '')))
            byDigits.set(digits, [...(byDigits.get(digits) ?? []), asset]);
    }
    const namedLike = ({ content }) => byDigits.get(digitsIn(content.name).at(-1) ?? '') ?? [];
    const unnamed = all.filter(({ filename }) => filename === undefined);
    // If each file has its asset, one that could not be read is of no file, or a second one of a file.
    const isEachFound = open.every((file) => namedLike(file).length > 0);
    const unexplained = isEachFound ? unnamed.filter((asset) => countOf(asset) !== 0) : [];
    const ofFile = (file) => {
        const { earlier } = file;
        const known = earlier && assets.get(idKey(earlier.assetId));
        if (earlier)
            return known ? [{ ...known, earlier }] : [];
        const versions = namedLike(file);
        const highest = Math.max(...versions.map(({ listed }) => listed.versionNumber ?? 1));
        return versions.filter(({ listed }) => (listed.versionNumber ?? 1) === highest);
    };
    const named = open.flatMap((file) => ofFile(file).map((asset) => ({ asset, file })));
    const possible = [...named, ...unnamed.map((asset) => ({ asset, file: undefined }))];
    return { all, unnamed, foreign: [...all.filter(isForeign), ...unexplained], ofFile, possible };
}
/** Whether an asset has an issue, and a name without the digits of any file. */
function isForeign(asset) {
    const isNameless = asset.filename !== undefined && digitsIn(asset.filename).length === 0;
    return isNameless && ((countOf(asset) ?? 0) > 0 || issuesOf(asset).length > 0);
}

;// CONCATENATED MODULE: ./lib/src/service/reader.js








const MIN_POLL_MS = 1_000;
/** Each poll logs the progress, so that the job does not look stalled. */
const MAX_POLL_MS = 60_000;
/** How long to wait for the service to catch up: after a 404, if a fact is missing, and after a retry was refused. */
const CATCH_UP_MS = 20_000;
/** The pause between two looks in that time. */
const LOOK_AGAIN_MS = 2_000;
/** How often this run retries an asset. */
const MAX_RETRIES = 2;
/** After so many reads in a row that were given up, the rest of the submission is left out. */
const MAX_GIVEN_UP = 2;
/** Reads submissions and their assets, and remembers what it has read. */
function createReader(options) {
    const remembered = new Map();
    const read = (isWait) => async (needed, deadline) => await new ReadCall({ ...options, deadline, isWait, remembered }).run(needed);
    return {
        /** Asks for each submission once, and again for 20 s if a fact is missing. */
        ask: read(false),
        /** Asks for each submission until it has ended, and retries failed assets. */
        wait: read(true),
    };
}
/** The pause before the next look at a submission. Undefined if there is none. */
function pauseAfter({ condition, forMs, waitedMs, isLast, lacksFact }) {
    if (isLast)
        return undefined;
    const catchUp = forMs < CATCH_UP_MS ? LOOK_AGAIN_MS : undefined;
    switch (condition) {
        case 'unreadable':
            return undefined;
        case 'missing':
            return catchUp;
        case 'at work':
            // The longer the wait, the longer the pause between two polls.
            return waitedMs === undefined ? undefined : Math.min(Math.max(waitedMs / 8, MIN_POLL_MS), MAX_POLL_MS);
        case 'ended':
            return lacksFact ? catchUp : undefined;
    }
}
class ReadCall {
    #options;
    #startedAt = performance.now();
    #queue = createQueue(MAX_CONCURRENT_REQUESTS);
    /** The submissions to which the service has moved a retry. Nothing is retried in these. */
    #moved = [];
    constructor(options) {
        this.#options = options;
    }
    async run(needed) {
        const results = await Promise.all(needed.map(async (each) => await this.#follow(each)));
        for (const moved of this.#moved)
            results.push(await this.#follow(moved));
        return results;
    }
    /**
     * Looks at a submission until `pauseAfter` ends that. In each look, it is asked for, what is unknown of its assets is
     * read, and those that have failed are retried. At the deadline, everything is read once more.
     */
    async #follow(needed) {
        const { submissionId } = needed;
        const { remembered, isWait, deadline } = this.#options;
        const reading = remembered.get(idKey(submissionId)) ?? { assets: new Map() };
        const followed = { needed, reading, condition: 'at work', since: this.#startedAt };
        for (;;) {
            const isLast = performance.now() >= deadline.until;
            await this.#ask(followed);
            const isStopped = await this.#readAssets(followed, isLast);
            if (isWait && !isLast)
                await this.#retryFailed(followed);
            const condition = conditionOf(followed);
            const now = performance.now();
            if (condition !== followed.condition)
                Object.assign(followed, { condition, since: now });
            const forMs = now - followed.since;
            const waitedMs = isWait ? now - this.#startedAt : undefined;
            const lacksFact = !isStopped && this.#lacksFact(followed);
            const pauseMs = pauseAfter({ condition, forMs, waitedMs, isLast, lacksFact });
            if (pauseMs === undefined) {
                remembered.set(idKey(submissionId), followed.reading);
                return this.#resultsOf(followed, condition === 'missing' && !isLast);
            }
            await sleep(Math.min(pauseMs, deadline.until - now), deadline.signal);
        }
    }
    /** Whether the service may still publish a fact that a file needs, or show a retry that it is already at work on. */
    #lacksFact(followed) {
        const { analyses } = this.#resultsOf(followed, false);
        const { isWait } = this.#options;
        return analyses.some(({ outcome, assetId }) => {
            if (outcome === 'failed')
                return assetId === undefined;
            return outcome === 'unclear' || (isWait && outcome === 'retryable');
        });
    }
    async #ask(followed) {
        const { client, deadline, isWait, log } = this.#options;
        const { submissionId } = followed.needed;
        const response = await this.#queue(async () => {
            if (!isWait && performance.now() >= deadline.until)
                return undefined;
            return await orError(client.readSubmission(submissionId, deadline));
        });
        if (!response)
            return;
        followed.reading = withReply(followed.reading, response);
        if (!isWait || response instanceof ServiceError)
            return;
        // The seconds count from the start of this wait: an earlier run may have created the submission.
        const seconds = Math.round((performance.now() - this.#startedAt) / 1000);
        log.info(`Submission ${submissionId}: ${describeProgress(response)} (after ${seconds} s)`);
    }
    /** Reads what is unknown of the assets. @returns whether an outage or a rate limit prevented that */
    async #readAssets(followed, isLast) {
        const { needed, reading } = followed;
        const { client, deadline, isWait } = this.#options;
        const isDue = hasEnded(reading) || (isLast && reading.error === undefined);
        const { all, ofFile } = findAssets(reading, needed);
        const analysed = needed.files.filter(({ earlier }) => earlier);
        const due = [...analysed.flatMap(ofFile), ...(isDue ? all : [])].filter(needsReading);
        let givenUp;
        let inARow = 0;
        const read = async (asset) => {
            if (!isWait && performance.now() >= deadline.until)
                return;
            const isLeftOut = inARow >= MAX_GIVEN_UP;
            const result = isLeftOut
                ? { ...asset, error: givenUp }
                : await readAsset(needed.submissionId, asset, { client, deadline });
            reading.assets.set(idKey(asset.listed.assetId), result);
            inARow = result.error?.stopsReading ? inARow + 1 : 0;
            if (result.error?.stopsReading)
                givenUp = result.error;
        };
        await Promise.all(due.map(async (asset) => await this.#queue(async () => await read(asset), this.#isUrgent(asset))));
        return givenUp !== undefined;
    }
    /** Whether the issues of an asset could change the verdict. */
    #isUrgent(asset) {
        const { issues = [] } = asset.earlier ?? {};
        if (countOf(asset) !== issues.length)
            return true;
        return issues.some(({ severity }) => isAtLeast(severity, this.#options.failOnSeverity));
    }
    /**
     * Retries failed assets. The service may accept one retry at a time and refuse the others (409): so a refused one is
     * requested again when the submission was at work and has ended.
     */
    async #retryFailed(followed) {
        const { needed, reading } = followed;
        if (conditionOf(followed) !== 'ended' || this.#moved.includes(needed))
            return;
        const { client, deadline, log } = this.#options;
        for (const { asset, file } of findAssets(reading, needed).possible) {
            const { listed, response, retry } = asset;
            const isRefused = retry.error !== undefined && followed.condition === 'ended';
            const mayHaveFailed = response === undefined || response.status.phase === 'failed';
            if (!listed.isRetryable || !mayHaveFailed || isRefused || retry.accepted >= MAX_RETRIES)
                continue;
            const reply = await orError(client.retryAsset(needed.submissionId, listed.assetId, deadline));
            const key = idKey(listed.assetId);
            if (reply instanceof ServiceError) {
                reading.assets.set(key, { ...asset, retry: { accepted: retry.accepted, error: reply } });
                if (reply.stopsReading)
                    return;
                continue;
            }
            const accepted = retry.accepted + 1;
            const name = file?.content.paths[0] ?? `Asset ${listed.assetId}`;
            log.info(`${name} failed (${failureText(listed) || 'no reason given'}); retry ${accepted} was accepted`);
            const { submissionId } = reply;
            if (idKey(submissionId) === idKey(needed.submissionId)) {
                // The failure that was read is the one before the retry.
                reading.assets.set(key, { ...asset, response: undefined, retry: { accepted, countBefore: listed.retryCount } });
                continue;
            }
            reading.assets.set(key, { ...asset, retry: { accepted: MAX_RETRIES } });
            log.info(`The service goes on with this retry in the submission ${submissionId}`);
            if (file)
                this.#moved.push({ submissionId, files: [file], knownAssets: new Set() });
        }
    }
    #resultsOf({ needed, reading }, isMissing) {
        const { submissionId, files } = needed;
        const found = findAssets(reading, needed);
        const facts = { ...found, submissionId, submission: reading, isMissing, mode: this.#options.client.mode };
        const analyses = files.map((file) => analysisOf({ ...facts, ...file, own: found.ofFile(file) }));
        return { submissionId, response: reading.response, analyses };
    }
}
function conditionOf({ reading, needed }) {
    if (reading.error)
        return reading.error.failureClass === 'missing' ? 'missing' : 'unreadable';
    const isRetried = findAssets(reading, needed).possible.some(({ asset }) => isRetrying(asset));
    return hasEnded(reading) && !isRetried ? 'ended' : 'at work';
}
function hasEnded({ response }) {
    return response?.status.phase === 'complete' || response?.status.phase === 'failed';
}

;// CONCATENATED MODULE: ./lib/src/service/submit.js






/** The pause before a creation is repeated: a gateway that restarts needs about this time. */
const REPEAT_AFTER_MS = 5_000;
/**
 * Creates the only submission of this run. Repeats the request after a server error, but only once in a run, because
 * each request may be billed. If a refusal may be about links to earlier versions or metadata, the request is sent once
 * more without them.
 */
async function submit_submit(uploads, given, { client, log, deadline }) {
    refuseSharedPaths(uploads);
    const isBilled = client.mode === 'live';
    /** The errors of requests that the service did not confirm. Each request may have created a submission. */
    const unconfirmed = [];
    const asGateError = (error) => {
        const refusals = error instanceof ServiceError && !error.mayHaveArrived ? explainRefusal(error, uploads) : [];
        const doubts = explainDoubt(unconfirmed, isBilled, deadline.signal.aborted);
        return new GateError([...refusals, ...doubts], { cause: error });
    };
    let { previousSubmissionIds: links, ...submission } = given;
    let notice;
    let pauseMs = 0;
    for (;;) {
        try {
            await sleep(pauseMs, deadline.signal);
            const assets = uploads.map(({ blobPath, content }) => ({
                blobPath,
                previousSubmissionId: links.get(content.sha256),
            }));
            const { submissionId } = await client.createSubmission({ ...submission, assets }, deadline);
            log.info(`Submission ${submissionId} created with ${plural(uploads.length, 'asset')}`);
            if (unconfirmed[0]) {
                const doubt = `${unconfirmed[0].message}. It confirmed a later request. ${mayExist(2, isBilled)}.`;
                log.warning(isBilled ? `${doubt} ${CANCEL_OTHER}` : doubt);
            }
            return { submissionId, notice, mayExistTwice: unconfirmed.length > 0 };
        }
        catch (error) {
            if (!(error instanceof ServiceError))
                throw unconfirmed.length > 0 ? asGateError(error) : error;
            const { failureClass, mayHaveArrived } = error;
            if (mayHaveArrived)
                unconfirmed.push(error);
            const hasExtras = submission.metadata !== undefined || links.size > 0;
            if (failureClass === 'server error' && unconfirmed.length === 1) {
                log.info(`${error.message}; trying once more`);
                pauseMs = REPEAT_AFTER_MS;
            }
            else if (failureClass === 'missing' && links.size > 0 && notice === undefined) {
                links = await withoutMissing(links, { client, deadline });
                notice = describeRest(error, `${links.size > 0 ? 'some ' : ''}links to earlier versions`);
            }
            else if (failureClass === 'invalid' && hasExtras && notice === undefined) {
                [submission, links] = [{ ...submission, metadata: undefined }, new Map()];
                notice = describeRest(error, 'metadata and links to earlier versions');
            }
            else
                throw asGateError(error);
        }
    }
}
function describeRest({ message }, what) {
    return `The submission was created without ${what}, because the service refused a request with them (${message}).`;
}
/** The links whose submission the service still has. None, if it has all of them: then another link was refused. */
async function withoutMissing(links, { client, deadline }) {
    const ids = [...new Set(links.values())];
    const present = await concurrently(ids, MAX_CONCURRENT_REQUESTS, async (id) => {
        const response = await orError(client.readSubmission(id, deadline));
        return !(response instanceof ServiceError && response.failureClass === 'missing');
    });
    const kept = new Set(ids.filter((_, index) => present[index]));
    return kept.size === ids.length ? new Map() : new Map([...links].filter(([, id]) => kept.has(id)));
}
/** Adds to the input `metadata` how the service's staff can find the run. With `none`, no metadata are sent. */
function metadataOf(given, { repository, commit, ref, runUrl }) {
    return given === 'none' ? undefined : { repository, commit, ...(ref !== '' && { ref }), runUrl, ...given };
}
/** If two files had the same path, only the file that was uploaded last would be analysed. */
function refuseSharedPaths(uploads) {
    const byPath = Map.groupBy(uploads, ({ blobPath }) => blobPath);
    const shared = [...byPath.values()].find((group) => group.length > 1);
    if (!shared)
        return;
    const names = shared.map(({ content }) => content.paths[0]).join(', ');
    const message = `The service stored different files under one path: ${names}. Nothing was submitted.`;
    const fix = "Contact the service's support: it must keep different file names apart.";
    throw new GateError(forOwner('refused', message, fix));
}
/** Says how many submissions may exist. @param wasStopped whether the run was cancelled during the request */
function explainDoubt(unconfirmed, isBilled, wasStopped) {
    const last = unconfirmed.at(-1);
    if (!last)
        return [];
    const { reason, message } = explain(last);
    const isNameless = unconfirmed.length === 1 && 'status' in last.failure && last.failure.status === 201;
    const existence = isNameless
        ? `One submission exists${isBilled ? ' and is billed' : ''}, but the response of the service does not name it.`
        : `${mayExist(unconfirmed.length, isBilled)}: the service confirmed none.`;
    const again = rerun('Re-run this job to have the files checked.', isBilled ? 'It sends and bills them.' : undefined);
    return [
        {
            reason: wasStopped ? 'cancelled' : reason,
            message: `${message} ${existence}`,
            steps: isBilled ? [again, accountOwner(CANCEL_OTHER)] : [again],
            submission: 'unconfirmed',
        },
    ];
}
function mayExist(count, isBilled) {
    return `${count === 1 ? 'One submission' : 'Two submissions'} may exist${isBilled ? ' and be billed' : ''}`;
}
const CANCEL_OTHER = 'If the service has another submission of these files and this time, that one is billed as well: ask its support to cancel it.';
/** From this number of assets on, a refusal may be about it. */
const MANY_ASSETS = 20;
function explainRefusal(error, uploads) {
    const cause = explain(error);
    if (cause.reason !== 'refused')
        return [cause];
    const isNamed = ({ content, blobPath }) => uploads.length === 1 || error.failure.message.includes(content.name) || error.failure.message.includes(blobPath);
    const isAboutFile = ['forbidden', 'too large', 'wrong type'].includes(error.failureClass);
    const refused = isAboutFile ? uploads.filter(isNamed) : [];
    if (refused.length > 0)
        return refused.map(({ content }) => explain(error, content.file.path));
    const split = workflowOwner(`If ${plural(uploads.length, 'file')} are too many for one submission, check each folder in a separate job, as the example \`monorepo-matrix.yml\` does.`);
    return [{ ...cause, steps: uploads.length >= MANY_ASSETS ? [...cause.steps, split] : cause.steps }];
}

;// CONCATENATED MODULE: ./lib/src/service/upload.js







/** The documented limit is 10 MB, taken as decimal. Larger files use a presigned address, which has no such limit. */
const DIRECT_UPLOAD_CAP = 10_000_000;
/**
 * Uploads all contents. If one file is refused, the others are still tried, so that all refusals are reported at once. Any
 * other failure ends the uploads.
 */
async function uploadAll(contents, { client, log, deadline }) {
    const refusals = [];
    let count = 0;
    // The largest files are sent first: if a large file came last, no other upload would run beside it.
    const largestFirst = contents.toSorted((a, b) => b.size - a.size);
    const uploading = concurrently(largestFirst, MAX_CONCURRENT_REQUESTS, async (content, stop) => {
        const signal = AbortSignal.any([deadline.signal, stop]);
        try {
            const calls = { client, log, deadline: { ...deadline, signal } };
            const direct = content.size <= DIRECT_UPLOAD_CAP ? await uploadDirect(content, calls) : undefined;
            const blobPath = direct ?? (await uploadPresigned(content, calls));
            count += 1;
            log.info(`[${count}/${contents.length}] ${content.paths[0]}: uploaded, ${formatBytes(content.size)}`);
            return { content, blobPath };
        }
        catch (error) {
            if (error instanceof GateError)
                refusals.push(...error.causes);
            else if (isAboutFile(error))
                refusals.push(explain(error, content.paths[0]));
            else
                throw error;
            return undefined;
        }
    });
    const uploads = await uploading.catch((error) => {
        if (refusals.length === 0 || !(error instanceof ServiceError))
            throw error;
        // An outage, which may be forgiven, must not hide a refusal, which is not.
        throw new GateError([...refusals, explain(error)], { cause: error });
    });
    if (refusals.length > 0)
        throw new GateError(refusals);
    return uploads.filter((each) => each !== undefined);
}
/** Whether the service or the storage refused only this file. */
function isAboutFile(error) {
    if (!(error instanceof ServiceError))
        return false;
    if (error.storage !== '')
        return !error.stopsReading;
    return ['forbidden', 'too large', 'wrong type', 'invalid'].includes(error.failureClass);
}
/** @returns the `blobPath`, or undefined if the file is too large: the service's limit may be lower than documented */
async function uploadDirect({ file, name, size }, { client, deadline }) {
    const response = await orError(client.uploadDirect(() => formBody(file, name), deadline));
    if (response instanceof ServiceError) {
        if (response.failureClass === 'too large')
            return undefined;
        throw response;
    }
    const { blobPath, sizeBytes } = response;
    if (sizeBytes === size)
        return blobPath;
    const message = `The service stored ${sizeBytes} bytes of a file of ${size}. Nothing was submitted.`;
    throw new GateError({ reason: 'refused', path: file.path, message, steps: [rerun(), SUPPORT] });
}
/** A second address helps if the first address expired, or if the storage refused it by chance. */
const MAX_UPLOAD_ADDRESSES = 2;
async function uploadPresigned({ file, name }, { client, log, deadline }) {
    for (let tries = 1;; tries += 1) {
        // The address is requested just before its use, because it expires.
        const { uploadUrl, blobPath } = await client.uploadUrl(name, file.type.mime, deadline);
        const error = await orError(client.putFile(file, uploadUrl, deadline));
        if (!(error instanceof ServiceError))
            return blobPath;
        if (error.failureClass !== 'forbidden' || tries === MAX_UPLOAD_ADDRESSES)
            throw error;
        log.info(`${file.path}: the storage refused the upload address; asking for a new one`);
    }
}

;// CONCATENATED MODULE: ./lib/src/verdict/judge-issues.js


/** Judges the issues of one content, worst first. @param analyses newest first: of issues with one id the first counts */
function judgeIssues(content, analyses, rules) {
    const issues = issuesOnce(analyses);
    const decisions = rules.waivers?.decide(content.paths, issues);
    const uncompared = issues.map((issue) => {
        const { waiver, whyNotWaived } = decisions?.get(issue.ruleCode) ?? {};
        const standing = standingOf(issue.status, waiver !== undefined, rules);
        const accepted = waiver && { owner: waiver.owner, reason: waiver.reason, expires: waiver.expires };
        return { ...issue, standing, waiver: accepted, whyNotWaived };
    });
    const added = rules.baseline && keysOfNewIssues(content, uncompared, rules.baseline);
    return uncompared
        .map(({ key, ...issue }) => {
        const isNew = added?.has(key);
        const isKnown = issue.standing === 'active' && rules.failOnIssues === 'new' && isNew === false;
        const standing = isKnown ? 'known' : issue.standing;
        const isActive = standing === 'active';
        const whyNotWaived = isActive ? issue.whyNotWaived : undefined;
        const failsGate = isActive && isAtLeast(issue.severity, rules.failOnSeverity);
        return { ...issue, standing, isNew, failsGate, whyNotWaived };
    })
        .toSorted(bySeverity);
}
function issuesOnce(analyses) {
    const all = analyses.flatMap((analysis) => withKeys(analysis, analysis.issues));
    return [...Map.groupBy(all, ({ id }) => idKey(id)).values()].flatMap((group) => group.slice(0, 1));
}
/** The keys of the issues of one content. */
function keysOf(analyses) {
    return issuesOnce(analyses).map(({ key }) => key);
}
function withKeys({ submissionId, assetId }, issues) {
    const of = { submissionId, assetId };
    return issues.map((issue) => ({ ...issue, of, key: [submissionId, assetId ?? '', issue.id].map(idKey).join(' ') }));
}
/** An issue with an unknown status is active: the gate fails closed. */
function standingOf(status, isWaived, { ignoreStatuses }) {
    if (ignoreStatuses.includes(status.toUpperCase()))
        return 'ignored';
    return isWaived ? 'waived' : 'active';
}
/** The baseline as it is searched: there can be thousands of files. @param keys of all issues of the run */
function indexBaseline(baseline, policy, keys) {
    const compared = baseline.map((file) => {
        const issues = withKeys(file, file.issues).map((issue) => {
            return { ...issue, standing: standingOf(issue.status, false, policy) };
        });
        // The mildest match is taken, which leaves more severe ones for the other issues.
        return { ...file, issues: issues.toSorted((a, b) => uncountedFirst(a, b) || bySeverity(b, a)) };
    });
    // An issue with the same key has its match, wherever its file is now, and no other issue may take it.
    const unmatched = compared.map(({ path, issues }) => [path, issues.filter(({ key }) => !keys.has(key))]);
    return {
        byPath: new Map(unmatched),
        byKey: new Map(compared.flatMap(({ issues }) => issues.map((issue) => [issue.key, issue]))),
    };
}
/**
 * The keys of the issues that the baseline does not have. An issue with the same key is compared with nothing else,
 * whatever the path is. The others are matched at each path by rule code, one for one: if a file has more issues of a rule
 * than before, the surplus is new. Issues that do not count are matched first, so that the surplus counts.
 */
function keysOfNewIssues({ paths }, issues, { byPath, byKey }) {
    const added = issues.filter((issue) => {
        const before = byKey.get(issue.key);
        return before && !isKnownBy(before, issue);
    });
    const others = issues
        .filter(({ key }) => !byKey.has(key))
        .toSorted((a, b) => uncountedFirst(a, b) || bySeverity(a, b));
    for (const path of paths) {
        const before = [...(byPath.get(path) ?? [])];
        for (const issue of others) {
            // An issue without a rule code cannot be recognised.
            const match = before.findIndex((each) => issue.ruleCode !== '' && each.ruleCode === issue.ruleCode && isKnownBy(each, issue));
            if (match === -1)
                added.push(issue);
            else
                before.splice(match, 1);
        }
    }
    return new Set(added.map(({ key }) => key));
}
/** Whether an earlier issue makes this one known: neither its severity nor its standing is worse now. */
function isKnownBy(before, issue) {
    const isCovered = issue.standing !== 'active' || before.standing === 'active';
    return isCovered && isAtLeast(before.severity, issue.severity);
}
function uncountedFirst(a, b) {
    return Number(a.standing === 'active') - Number(b.standing === 'active');
}

;// CONCATENATED MODULE: ./lib/src/verdict/judge.js





/** Judges the findings, even of an interrupted run. The order of precedence is `fail`, `skipped`, `error`, `pass`. */
function judge(found, policy) {
    const contents = judgeContents(found, policy);
    const causes = causesOfError(found, contents);
    if (contents.some(({ issues }) => issues.some(({ failsGate }) => failsGate))) {
        return { name: 'fail', reason: 'issues', isPassing: false, causes, contents };
    }
    if (found.skipped) {
        const { cause } = found.skipped;
        return { name: 'skipped', reason: cause.reason, isPassing: true, causes: [...found.causes, cause], contents };
    }
    const [first] = causes;
    if (!first)
        return { name: 'pass', reason: '', isPassing: true, causes, contents };
    // Only an outage, a rate limit and a timeout can be forgiven.
    const unforgivable = causes.find(({ reason }) => reason !== 'service' && reason !== 'timeout');
    // The service must have reported nothing against the files: a pull request could cause an outage of its own files.
    const isSuspicious = contentResults(found).some(({ counting }) => counting.some((each) => each.isSuspicious));
    const isForgiven = policy.onServiceError === 'warn' && !unforgivable && !isSuspicious && !found.isCancelled;
    return { name: 'error', reason: (unforgivable ?? first).reason, isPassing: isForgiven, causes, contents };
}
/**
 * What this run has read about each content: the analysis that decides, those whose issues count, newest first, and the last
 * known one, unless there is a newer result.
 */
function contentResults({ plan, analyses, sent }) {
    const byId = new Map(analyses.map((each) => [idOf(each), each]));
    const analysesOf = (records) => records.flatMap((record) => byId.get(analysisId(record)) ?? []);
    const sentBySha = Map.groupBy(sent.toReversed(), ({ sha256 }) => sha256);
    return plan.contents.map((planned) => {
        const { content, records, source } = planned;
        const sentNow = sentBySha.get(content.sha256) ?? [];
        // What is older than the plan's choice cannot decide: with `reuse-days: 0` a newer analysis was asked for.
        const chosen = source.kind === 'sent' ? [] : records.slice(0, records.indexOf(source.record) + 1);
        const analysis = decisive(analysesOf([...sentNow, ...chosen]));
        const newestFirst = analysesOf([...sentNow, ...records]);
        const isResult = analysis?.outcome === 'result';
        return {
            planned,
            analysis,
            counting: isResult ? newestFirst.slice(0, newestFirst.indexOf(analysis) + 1) : newestFirst,
            lastKnown: isResult ? undefined : records.find(isAnalysed),
        };
    });
}
/** The contents of a run, each with the submission of the issues that count, for the state. */
function countedContents(found) {
    return contentResults(found).map(({ planned: { content }, analysis, lastKnown }) => {
        const counted = analysis?.outcome === 'result' ? analysis : lastKnown;
        return { content, counted: counted?.submissionId };
    });
}
/** The last known issues count until a run reads newer results, but not in a skipped or cancelled run. */
function judgeContents(found, policy) {
    const { history, waivers } = found;
    const isChecking = !found.skipped && !found.isCancelled;
    const contents = contentResults(found).map(({ planned, analysis, counting, lastKnown: known }) => {
        const lastKnown = isChecking ? known : undefined;
        return { planned, analysis, lastKnown, analyses: [...counting, ...(lastKnown ? [lastKnown] : [])] };
    });
    const keys = new Set(contents.flatMap(({ analyses }) => keysOf(analyses)));
    const baseline = history.baseline && indexBaseline(history.baseline, policy, keys);
    return contents.map(({ planned, analysis, lastKnown, analyses }) => {
        const issues = judgeIssues(planned.content, analyses, { ...policy, baseline, waivers });
        return { ...planned, analysis, outcome: analysis?.outcome ?? 'unread', lastKnown, issues };
    });
}
/** Returns each cause once, because one cause can apply to many files. */
function causesOfError({ causes: early }, contents) {
    const ofFiles = contents.flatMap((judged) => {
        const { content, analysis } = judged;
        if (isJudged(judged))
            return [];
        const isExplained = early.length > 0 || analysis?.cause !== undefined;
        // The gate fails closed: a content without a judged analysis never passes, even if no step gave a reason.
        return isExplained ? (analysis?.cause ?? []) : { ...UNEXPLAINED, path: content.paths[0] };
    });
    return [...new Map([...early, ...ofFiles].map((cause) => [JSON.stringify(cause), cause])).values()];
}
const UNEXPLAINED = forOwner('internal', 'The file was not judged, and no step reported why.', 'This is a defect of the action: please report it.');

;// CONCATENATED MODULE: ./lib/src/waivers/waivers.js

/** A notice names the waivers that expire within this time, with their owners. */
const REMINDER_DAYS = 14;
/** The waivers of a waivers file on one day, which decides which of them have expired. */
class Waivers {
    #valid;
    #expired;
    #proposed;
    #lastReminderDay;
    /** Why no waiver counts in this run, and what to do about it. Undefined if waivers count. */
    whyNoneCounts;
    constructor({ waivers, proposed = [], whyNoneCounts }, now) {
        const isValid = ({ expires }) => expires >= dayOf(now.getTime());
        this.#valid = waivers.filter(isValid);
        this.#expired = waivers.filter((waiver) => !isValid(waiver));
        this.#proposed = proposed.filter(isValid);
        this.#lastReminderDay = dayOf(now.getTime() + REMINDER_DAYS * 24 * 60 * 60 * 1000);
        this.whyNoneCounts = whyNoneCounts && `No waiver counts in this run: ${whyNoneCounts}`;
    }
    /** A decision for each rule, however many issues the content has. A waiver covers only the paths that it matches. */
    decide(paths, issues) {
        const rules = new Set(issues.map(({ ruleCode }) => ruleCode));
        return new Map([...rules].map((rule) => [rule, this.#decideRule(rule, paths)]));
    }
    #decideRule(rule, paths) {
        const find = (waivers, ...places) => waivers.filter((each) => each.rule === rule && places.some(each.matches));
        const covering = paths.map((path) => find(this.#valid, path)[0]);
        const waiver = covering.includes(undefined) ? undefined : covering[0];
        const [last] = find(this.#expired, ...paths).toSorted((one, other) => other.expires.localeCompare(one.expires));
        const [next] = find(this.#proposed, ...paths);
        const texts = [
            ...(last ? [`The waiver of ${last.owner} expired on ${last.expires}.`] : []),
            ...(next ? [`A waiver is proposed here (owner ${next.owner}). It counts once it is merged.`] : []),
        ];
        return { waiver, whyNotWaived: waiver ? undefined : (this.whyNoneCounts ?? (texts.join(' ') || undefined)) };
    }
    notices(pathsBeforeOnlyChanged) {
        const soon = this.#valid.filter(({ expires }) => expires <= this.#lastReminderDay);
        const idle = this.#valid.filter(({ matches }) => !pathsBeforeOnlyChanged.some(matches));
        const lists = [
            ['Waivers proposed here, which count once they are merged', this.#proposed],
            ['Expired waivers, which are no longer applied', this.#expired],
            [`Waivers that expire within ${REMINDER_DAYS} days`, soon],
            ['Waivers whose path matches no file', idle],
        ];
        const texts = lists
            .filter(([, found]) => found.length > 0)
            .map(([what, found]) => `${what} (${count(found.length)}): ${formatList(found.map(formatWaiver))}.`);
        return this.whyNoneCounts === undefined ? texts : [this.whyNoneCounts, ...texts];
    }
}
function dayOf(time) {
    return new Date(time).toISOString().slice(0, 10);
}
/** "AD-17 for media/*.mp4 (line 7, owner legal@example.com, until 2027-01-31)" */
function formatWaiver({ rule, path, owner, line, expires }) {
    return `${rule} for ${path} (line ${line}, owner ${owner}, until ${expires})`;
}

;// CONCATENATED MODULE: ./lib/src/waivers/waivers-file.js









/** Enough for about two thousand waivers. The file has a limit because the author of a pull request controls it. */
const waivers_file_MAX_BYTES = 256 * 1024;
/**
 * In a branch run whose own commit is checked out, and outside GitHub, the waivers in the workspace count. In any other
 * run, those of the base commit count, or of the default branch if there is no base commit: otherwise the author of a
 * pull request could waive every issue. Waivers that only the workspace has are then reported as proposed.
 */
async function loadWaivers(place, api) {
    const { event, head, commit } = place;
    const inWorkspace = await readWorkspace(place);
    // Whether the workspace holds only what was pushed to the branch of the run. Outside GitHub, the event is empty.
    const isTrusted = event === '' || (isBranchEvent(event) && head === commit);
    const effective = isTrusted ? inWorkspace : await readBase(place, api);
    if (typeof effective === 'string')
        return { waivers: [], whyNoneCounts: effective };
    const keys = new Set(effective.map(keyOf));
    return { waivers: effective, proposed: inWorkspace.filter((waiver) => !keys.has(keyOf(waiver))) };
}
/**
 * The waivers of the base, or why none counts. An invalid file on the base branch does not end the run: the pull request
 * may be the one that corrects the file.
 */
async function readBase(place, api) {
    const { file, baseCommit } = place;
    try {
        const text = await api.textAt(folderIn(place) + file, baseCommit);
        return await parseWaivers(text ?? '', file);
    }
    catch (error) {
        const where = `the waivers file of the ${baseCommit === undefined ? 'default branch' : 'base commit'}`;
        if (error instanceof GateError)
            return `${where} is wrong. Correct it in a pull request of its own. ${error.causes[0]?.message}`;
        if (!(error instanceof GitHubError))
            throw error;
        return `${where} could not be read. ${error.notice}`;
    }
}
/**
 * The waivers in the workspace. The author of a pull request controls the workspace, so the file must be a regular file,
 * and a link must not lead out of the folder.
 */
async function readWorkspace({ file, searchRoot }) {
    try {
        const real = await (0,promises_.realpath)(external_node_path_.join(searchRoot, file));
        const stats = await (0,promises_.stat)(real);
        const isInside = relativeTo(await (0,promises_.realpath)(searchRoot), real) !== undefined;
        if (!isInside || !stats.isFile())
            throw fileError(file, 'It is not a file in the repository');
        if (stats.size > waivers_file_MAX_BYTES)
            throw fileError(file, `It is larger than ${waivers_file_MAX_BYTES / 1024} KiB`);
        return await parseWaivers(await (0,promises_.readFile)(real, 'utf8'), file);
    }
    catch (error) {
        if (!isSystemError(error))
            throw error;
        if (error.code === 'ENOENT')
            return [];
        throw fileError(file, `It cannot be read (${error.message})`);
    }
}
function fileError(file, why) {
    const message = `Input \`waivers-file\` is ${JSON.stringify(file)}. ${why}.`;
    const fix = 'Set `waivers-file` to the path of a YAML file in the repository, or leave it out.';
    return new GateError(forOwner('bad-input', message, fix));
}
const keyOf = (waiver) => JSON.stringify({ ...waiver, line: 0 });
// Each message is written after the name of the key: "`owner` is empty".
const waivers_file_Text = dist/* pipe */.FsL(dist/* string */.YjP('is not one text'), dist/* trim */.Bqr(), dist/* nonEmpty */.hq('is empty'));
const Entry = dist/* strictObject */.rej({
    rule: waivers_file_Text,
    /** A path, or a pattern with the syntax of the input `files`. */
    path: dist/* pipe */.FsL(waivers_file_Text, dist/* rawCheck */.H0v(({ dataset, addIssue }) => {
        if (!dataset.typed)
            return;
        const { value } = dataset;
        const problem = value.startsWith('!') ? 'which begins with `!`' : whyInvalid(value);
        if (problem !== undefined)
            addIssue({ message: `is ${JSON.stringify(value)}, ${problem}` });
    })),
    owner: waivers_file_Text,
    reason: waivers_file_Text,
    /** The last day on which the waiver is valid, in UTC. */
    expires: dist/* pipe */.FsL(waivers_file_Text, dist/* isoDate */._$n(({ input }) => `is ${JSON.stringify(input)}, not a date such as 2027-01-31`)),
}, 'is not a known key');
/** Parses a waivers file. Throws a `GateError` with the first problem of each entry and the entry's line. */
async function parseWaivers(text, file) {
    // Most runs have no waivers, so the YAML parser is loaded only when it is needed.
    const { LineCounter, parseDocument, isMap, isScalar, isSeq } = await __webpack_require__.e(/* import() */ 815).then(__webpack_require__.t.bind(__webpack_require__, 38815, 19));
    const lineCounter = new LineCounter();
    // The schema `failsafe` keeps every value as text. With `uniqueKeys`, the parser would compare each key with all
    // others, which is slow for many keys, so the loop below looks for equal keys.
    const options = { lineCounter, schema: 'failsafe', uniqueKeys: false, prettyErrors: false };
    const { contents, errors } = parseDocument(text.replace(/^\ufeff/, ''), options);
    const lineAt = (offset = 0) => lineCounter.linePos(offset).line;
    const [error] = errors;
    if (error)
        throw new GateError(atLine(file, lineAt(error.pos[0]), `this is not valid YAML: ${error.message}`));
    // The file is empty or has only comments.
    if (contents === null || (isScalar(contents) && contents.value === ''))
        return [];
    if (!isSeq(contents))
        throw new GateError(atLine(file, lineAt(contents.range?.[0]), 'the file is not a list'));
    const waivers = [];
    const problems = [];
    for (const item of contents.items) {
        const line = lineAt(item.range?.[0]);
        const pairs = (isMap(item) ? item.items : []).map(({ key, value }) => {
            return [isScalar(key) ? String(key.value) : '', isScalar(value) ? value.value : null];
        });
        const values = Object.fromEntries(pairs);
        if (Object.keys(values).length < pairs.length)
            problems.push(atLine(file, line, 'the entry has a key twice'));
        const { success, output, issues } = dist/* safeParse */.xLC(Entry, values, { abortEarly: true });
        if (success) {
            waivers.push({ ...output, matches: waiverMatcher(output.path), line });
            continue;
        }
        const name = dist/* getDotPath */.BuJ(issues[0]) ?? '';
        const what = Object.hasOwn(values, name) ? issues[0].message : 'is missing';
        problems.push(atLine(file, line, `\`${name}\` ${what}`));
    }
    if (problems.length > 0)
        throw new GateError(problems);
    return waivers;
}
function atLine(file, line, what) {
    const keys = Object.keys(Entry.entries).map((key) => `\`${key}\``);
    const fix = `Correct ${FILE} from line ${line} on, commit and push. The file is a list: each entry begins with \`- \` and has one text for each of ${keys.join(', ')}.`;
    return { ...forOwner('bad-input', `Line ${line}: ${what}.`, fix), path: file };
}

;// CONCATENATED MODULE: ./lib/src/run.js



















/** The time limit for all that is asked before the upload. After it, the last known issues count. */
const ASK_MINUTES = 5;
const DRY_RUN = {
    cause: forOwner('dry-run', 'This was a dry run: nothing was sent or judged.', 'Remove `dry-run: true` to send the files and judge the issues.'),
    isExpected: false,
};
/**
 * The whole run: inputs → check (discover … wait) → save state → judge → report → publish. The exit status comes from
 * the verdict alone.
 */
async function run(env, runner, signal) {
    try {
        const { problems, ...environment } = await openEnvironment(env, { runner, signal });
        const { inputs, context, github } = environment;
        const found = nothingFound();
        try {
            if (problems.length > 0)
                throw new GateError(problems);
            found.skipped = await check(found, environment);
        }
        catch (error) {
            found.causes = causesOf(error, found).map((cause) => 
            // An unexpected error, and the value of a wrong input, may repeat a secret.
            ['internal', 'bad-input'].includes(cause.reason) ? { ...cause, message: runner.clean(cause.message) } : cause);
            found.isCancelled = signal.aborted;
            // A dry run reports what would stop a real run, and passes.
            if (inputs.dryRun && problems.length === 0 && error instanceof GateError)
                found.skipped = DRY_RUN;
            if (found.causes.some(({ reason }) => reason === 'internal'))
                logStack(error, runner);
        }
        // A cancelled run has no time to save. It saved its submission, if it has one, right after the creation.
        const hasRead = found.analyses.some(({ outcome }) => outcome !== 'unread' && outcome !== 'last-known');
        const hasResults = hasRead || found.submissionIds.length > 0;
        if (hasResults && !found.isCancelled)
            found.stateFile = await saveState('state', found, environment);
        const verdict = judge(found, inputs.policy);
        await fireSandboxEvent(found, environment);
        const isFailing = verdict.name === 'fail' || verdict.name === 'error';
        const { files } = found.discovery;
        // A cancelled run has no time to ask GitHub. Its report does not say which files were changed.
        if (isFailing && files.length > 0 && !found.isCancelled)
            found.changedFiles ??= await readChangedFiles(context, inputs.files, github);
        const isChanged = changesIn(found.changedFiles);
        const report = buildReport({ found, verdict, inputs, context, isChanged, now: new Date() });
        await publish(report, { found, inputs, runner, github, context });
    }
    catch (error) {
        logStack(error, runner);
        publishError(error, runner);
    }
}
/**
 * The steps of a run, in their order. What a step has found is kept, even if a later step fails. Returns why nothing was
 * checked, if nothing was.
 */
async function check(found, environment) {
    const { inputs, client, runner } = environment;
    const keep = ({ notices = [], ...part }) => {
        Object.assign(found, part, { notices: [...new Set([...found.notices, ...notices])] });
    };
    keep(await findFiles(environment));
    if (found.discovery.files.length === 0)
        return skipWithoutFiles(found, inputs);
    // After the search, so that the report names the files that nobody checks.
    if (!client && !inputs.dryRun)
        return { cause: MISSING_KEY, isExpected: false };
    keep(await inspectFiles(found, environment));
    keep(await loadStates(found, environment));
    const { failOnSeverity } = inputs.policy;
    const reader = client && !inputs.dryRun ? createReader({ client, log: runner.log, failOnSeverity }) : undefined;
    keep(await planSources(found, environment, reader));
    const problems = problemsIn(found.plan, found.inspection, inputs);
    if (problems.length > 0)
        throw new GateError(problems);
    if (!client || !reader)
        return DRY_RUN;
    keep(await sendFiles(found, { ...environment, client }));
    keep(await waitForResults(found, { ...environment, client }, reader));
    return undefined;
}
async function findFiles(environment) {
    const { inputs, context, github, runner } = environment;
    const matched = await discover(inputs.files, inputs.searchRoot, inputs.dryRun);
    await assertHeadCheckedOut(context, github);
    const changedFiles = inputs.onlyChanged ? await readChangedFiles(context, inputs.files, github) : undefined;
    const discovery = changedFiles === undefined ? matched : onlyChanged(matched, changedFiles);
    runner.log.info(describeSearch(discovery));
    const pathsBeforeOnlyChanged = matched.files.map((file) => file.path);
    return { discovery, pathsBeforeOnlyChanged, changedFiles, notices: discovery.notices };
}
function skipWithoutFiles({ pathsBeforeOnlyChanged }, inputs) {
    const { length } = pathsBeforeOnlyChanged;
    if (length > 0)
        return { cause: noneChanged(length), isExpected: true };
    const isExpected = inputs.ifNoFilesFound === 'ignore';
    const cause = noFilesMatch(inputs.files, inputs.searchRoot, isExpected);
    if (inputs.ifNoFilesFound === 'error')
        throw new GateError(cause);
    return { cause, isExpected };
}
/** Checks the base branch and loads the waivers, both only if an input needs them, and inspects the files. */
async function inspectFiles({ discovery }, environment) {
    const { inputs, context, github, signal } = environment;
    const { waiversFile: file, policy } = inputs;
    const isBaseUsed = file !== undefined || policy.failOnIssues === 'new';
    if (isBaseUsed)
        await assertSameBase(context, github);
    const loaded = file === undefined ? undefined : await loadWaivers({ ...context, file }, github);
    const inspection = await inspect(discovery.files, signal);
    return { waivers: loaded && new Waivers(loaded, new Date()), inspection, notices: inspection.warnings };
}
/** Loads the nearest states. By their plan the last known issues count if the service refuses every request. */
async function loadStates({ inspection }, environment) {
    const history = await environment.store.nearest();
    return { history, plan: makePlan(basisOf(inspection, history, environment)), notices: history.notices };
}
/**
 * Asks the service about earlier submissions, loads other states if a file would be sent or stay unjudged, and plans. A dry
 * run has no reader and asks for nothing.
 */
async function planSources({ inspection, history: nearest }, environment, reader) {
    const asked = new Map();
    const deadline = deadlineIn(ASK_MINUTES, environment);
    const planFrom = async (history) => {
        const basis = basisOf(inspection, history, environment);
        const results = reader ? await reader.ask(submissionsToAsk(basis, asked), deadline) : [];
        for (const each of results.flatMap(({ analyses }) => analyses))
            asked.set(idOf(each), each);
        return makePlan(basis, asked);
    };
    let history = nearest;
    let plan = await planFrom(history);
    if (needsOtherStates(plan, asked)) {
        history = await environment.store.rest();
        plan = await planFrom(history);
    }
    const awaited = reader ? awaitedSubmissions(plan, history.earlierState) : [];
    const submissionIds = awaited.map(({ submissionId }) => submissionId);
    return { history, plan, analyses: [...asked.values()], submissionIds, notices: history.notices };
}
function basisOf(inspection, { earlierState }, { inputs, context }) {
    return { ...inspection, ...planRules(inputs, context), earlierState, now: new Date() };
}
/** Uploads the files, creates one submission, and saves it. A run that cannot save its submission sends nothing. */
async function sendFiles(found, environment) {
    const { inputs, context, runner, store, client } = environment;
    const { plan, history } = found;
    const contents = contentsToSend(plan);
    if (contents.length === 0)
        return {};
    const losses = describeLosses(plan, client.mode === 'sandbox');
    for (const text of [losses ?? [], history.notices].flat())
        runner.log.warning(text);
    if (history.unread > 0)
        runner.log.info(`${plural(history.unread, 'saved state')} left unread. A file that only these know is analysed again.`);
    // The longest id that the gate accepts, so that the state which is saved after the creation is not larger.
    const largest = recordsOf('0'.repeat(64), contents, environment);
    await store.tryOut(resultsToSave({ ...found, sent: largest }, environment));
    const uploads = await runner.log.group(`Uploading ${plural(contents.length, 'file')}`, () => uploadAll(contents, callsOf(environment)));
    const options = {
        sidekickIds: inputs.sidekickIds,
        simulationDelaySeconds: inputs.simulationDelaySeconds,
        metadata: metadataOf(inputs.metadata, { ...context, ...checkedCommit(context) }),
        previousSubmissionIds: previousSubmissions(plan, history.earlierState),
    };
    const created = await submit_submit(uploads, options, callsOf(environment));
    const sent = recordsOf(created.submissionId, contents, environment);
    const stateFile = await saveState('open', { ...found, sent }, environment);
    const submissionIds = [created.submissionId, ...found.submissionIds];
    return { created, sent, stateFile, submissionIds, notices: created.notice === undefined ? [] : [created.notice] };
}
function recordsOf(submissionId, contents, { inputs, context }) {
    const { runId, sidekicks } = planRules(inputs, context);
    const at = new Date().toISOString();
    // If the type of a content is unknown, it is recorded as a document.
    return contents.map(({ sha256, name, type }) => {
        const category = type?.category ?? 'document';
        return { kind: 'open', at, runId, sha256, name, category, submissionId, sidekicks };
    });
}
/** Polls the submissions, retries failed assets and collects the results. */
async function waitForResults(found, environment, reader) {
    const { submissionIds, created, plan, history } = found;
    if (submissionIds.length === 0)
        return {};
    const { runner } = environment;
    const calls = callsOf(environment);
    const awaited = awaitedSubmissions(plan, history.earlierState);
    const files = contentsToSend(plan).map((content) => ({ content }));
    const ours = created ? [{ submissionId: created.submissionId, files, knownAssets: new Set() }] : [];
    const waiting = () => reader.wait([...ours, ...awaited], calls.deadline);
    const waited = await runner.log.group('Waiting for the analysis', waiting);
    const read = waited.flatMap(({ analyses }) => analyses);
    const own = read.filter(({ submissionId }) => submissionId === created?.submissionId);
    const extended = created ? await withExtras(created.submissionId, own, calls) : [];
    // Records the submissions to which the service has moved a retry.
    const moved = waited.flatMap(({ submissionId: id, analyses }) => {
        const movedContents = submissionIds.includes(id) ? [] : analyses.map(({ content }) => content);
        return recordsOf(id, movedContents, environment);
    });
    return {
        response: waited[0]?.response,
        sent: [...found.sent, ...moved],
        // The wait has read awaited files again.
        analyses: [...new Map([...found.analyses, ...read, ...extended].map((each) => [idOf(each), each])).values()],
    };
}
/** @returns the file of the last saved state; empty if no state was saved */
async function saveState(kind, found, environment) {
    return (await environment.store.save(kind, resultsToSave(found, environment))) || found.stateFile;
}
function resultsToSave(found, { inputs }) {
    const { analyses, sent, pathsBeforeOnlyChanged: foundPaths } = found;
    const contents = countedContents(found);
    return { analyses, sent, contents, foundPaths, reuseDays: inputs.reuseDays, now: new Date() };
}
/** A test workflow expects the event in every run. If every file was reused, the event names an earlier submission. */
async function fireSandboxEvent(found, environment) {
    const { inputs, client, signal } = environment;
    const { sandboxEvent: eventType, sandboxErrorMessage: errorMessage } = inputs;
    const submissionId = found.submissionIds[0] ?? found.analyses[0]?.submissionId;
    if (!client || !eventType || submissionId === undefined || found.causes.length > 0)
        return;
    await client.fireEvent({ eventType, submissionId, errorMessage }, signal);
}
function logStack(error, { log }) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    for (const part of text.split('\n'))
        log.info(part);
}

;// CONCATENATED MODULE: ./lib/src/start.js






/** The runner sends the first two, and a terminal that closes sends the third. */
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** `dist/post.js` only loads `index.js`. Its name decides: a variable could be missing, and a new run would start. */
function isPostStep() {
    return external_node_path_.basename(process.argv[1] ?? '') === 'post.js';
}
/** Runs the main step or the post step. */
async function start() {
    const runner = createRunner();
    // If the event loop runs empty before the run ends, the step must fail: exit status 0 would look like a pass.
    process.once('beforeExit', () => {
        runner.log.warning('The step ended without a verdict. This is a defect of the action. Please report it.');
        process.exit(1);
    });
    // If the runner no longer reads the log, the state must still be saved.
    for (const stream of [process.stdout, process.stderr])
        stream.on('error', (error) => {
            if (error.code !== 'EPIPE')
                throw error;
        });
    if (isPostStep()) {
        unifyProxies(process.env);
        await uploadPending(runner.savedForPost(), runner.log);
    }
    else {
        const controller = new AbortController();
        for (const name of STOP_SIGNALS)
            process.on(name, () => controller.abort(new Interruption(name)));
        await run(process.env, runner, controller.signal);
    }
    // Exit explicitly, because an open connection must not keep the step running after its verdict.
    process.stdout.write('', () => process.exit());
}


/***/ })

};
