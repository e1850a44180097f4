// Puts the address that this browser knows the server by into the commands, and its health on the page.

for (const place of document.querySelectorAll('.origin')) place.textContent = location.origin;

const ready = await fetch('/readyz').catch(() => null);
const health = document.getElementById('health');
health.dataset.mood = ready?.ok ? 'good' : 'bad';
document.getElementById('health-text').textContent = ready?.ok
  ? 'Alive and ready. Balancers ask at /healthz and /readyz.'
  : 'Alive, but not ready: the database does not answer.';
