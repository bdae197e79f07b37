/**
 * The filters of report.html, where it has any. The page can be read without: everything is in it and visible. Texts of
 * the report reach the script only as values of data attributes and are only ever compared.
 */
export const SCRIPT = `
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
  const version = wanted.get('version');
  const name = (wanted.get('file') ?? '').trim().toLowerCase();
  const everything = severities.size === 4 && !status && !standing && !age && !version;
  const open = new Set();
  let shown = 0;
  let total = 0;
  for (const { element, file, is } of issues) {
    const matches = severities.has(is.severity) && (!status || is.status === status) && (!standing || is.standing === standing) &&
      (!age || is.age === age) && (!version || is.version === version) && (!name || file.dataset.file.includes(name));
    element.hidden = !matches;
    if (is.version === 'this') { total += 1; if (matches) shown += 1; }
    if (matches) open.add(file);
  }
  for (const file of files) file.hidden = !(open.has(file) || (everything && (!name || file.dataset.file.includes(name))));
  told.textContent = shown + ' of ' + total + ' issues shown';
}
if (form) {
  form.addEventListener('input', apply);
  form.addEventListener('submit', (event) => event.preventDefault());
  form.querySelector('button').addEventListener('click', () => { form.reset(); apply(); });
  form.closest('section').hidden = false;
  apply();
}
let closed = [];
addEventListener('beforeprint', () => { closed = [...document.querySelectorAll('details:not([open])')]; for (const one of closed) one.open = true; });
addEventListener('afterprint', () => { for (const one of closed) one.open = false; });
`;
