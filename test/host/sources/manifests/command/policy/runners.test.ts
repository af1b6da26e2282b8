import { expect, test } from 'vitest';
import type { CommandParameter } from '../../../../../../host/sources/manifests/command/template/template.ts';
import { loadCommand } from '../../../../../../host/sources/manifests/command/load.ts';
import { TemplateRefusal } from '../../../../../../host/sources/manifests/command/refusal.ts';

const parameters: readonly CommandParameter[] = [
  { name: 'x', type: 'string' },
  { name: 'n', type: 'integer' },
];

async function refusalOf(template: string): Promise<unknown> {
  try {
    await loadCommand(template, parameters);
    return undefined;
  } catch (thrown) {
    return thrown;
  }
}

/** The value is run by another program. */
const refused = `
git submodule foreach {{x}}
git submodule foreach --recursive {{x}}
git -C repo submodule foreach {{x}}
/usr/bin/git submodule foreach {{x}}
git bisect run {{x}}
git bisect run sh -c {{x}}
git rebase --exec {{x}} main
git rebase -x {{x}} main
git rebase --exec={{x}} main
git -c {{x}} log
git -c alias.x={{x}} x
git config alias.x {{x}}
git config core.pager {{x}}
git config {{x}} less
git filter-branch --tree-filter {{x}}
git difftool -x {{x}}
git difftool -y --extcmd={{x}}
git clone -u {{x}} a b
git clone --upload-pac={{x}} a b
git grep -O{{x}} foo
git rebase --exe {{x}} main
git send-email --smtp-server={{x}} 1.patch
git daemon --access-hook={{x}}
tar --to-c={{x}} -xf a.tar
tar --use-c={{x}} -xf a.tar
sort --comp={{x}} f
split --filt={{x}} f
rsync --rs {{x}} a b:c
wget -e {{x}} https://example.org
wget --use-ask={{x}} https://example.org
install --strip-prog={{x}} a b
apt-get -o {{x}} update
dpkg --pre-invoke={{x}} -i a.deb
zip -T -TT {{x}} a.zip f
gcc -wrapper {{x}} a.c
gcc -fplugin={{x}} a.c
ed {{x}}
autossh host {{x}}
sshpass -p a {{x}}
sshpass -p a ssh host {{x}}
ip netns exec a {{x}}
docker run --entrypoint {{x}} alpine
nc -e {{x}} host 1
ncat -c {{x}} host 1
ansible all -a {{x}}
kitty {{x}}
gnome-terminal -- {{x}}
wsl {{x}}
wine {{x}}
proot {{x}}
concurrently {{x}}
fzf --preview {{x}}
tcpdump -z {{x}}
exiftool -if {{x}} a.jpg
pandoc --lua-filter={{x}} a.md
restic -o {{x}} snapshots
hg --config {{x}} log
svn --config-option {{x}} log
cargo --config {{x}} build
mutt -e {{x}}
msmtp --passwordeval {{x}} a@example.org
aria2c --on-download-complete={{x}} https://example.org
pylint --init-hook {{x}} a.py
gpg --photo-viewer {{x}} --list-keys
openssl engine {{x}}
cmake -P {{x}}
eslint --rulesdir {{x}} a.js
pytest -p {{x}}
mocha -r {{x}}
man -P {{x}} ls
/lib64/ld-linux-x86-64.so.2 {{x}}
docker run alpine {{x}}
docker run --rm -it alpine {{x}}
docker run -v /a:/b alpine {{x}}
docker run --name box alpine {{x}}
docker run {{x}}
docker run --rm {{x}} ls
docker exec box {{x}}
docker exec -it box {{x}}
docker exec -u root box {{x}}
docker exec box sh -c {{x}}
docker compose run web {{x}}
docker-compose exec web {{x}}
podman run alpine {{x}}
podman exec box {{x}}
nerdctl run alpine {{x}}
kubectl exec pod -- {{x}}
kubectl exec pod -c app -- {{x}}
kubectl exec pod -- sh -c {{x}}
kubectl exec pod {{x}}
oc exec pod -- {{x}}
lxc exec box -- {{x}}
incus exec box {{x}}
tmux new-session {{x}}
tmux new-session -d -s name {{x}}
tmux new -d {{x}}
tmux new-window {{x}}
tmux split-window {{x}}
tmux run-shell {{x}}
tmux if-shell true {{x}}
tmux if-shell -F '#{x}' ls {{x}}
tmux set-hook -g pane-died {{x}}
tmux send-keys -t a {{x}} Enter
screen -dm {{x}}
screen -S a -X stuff {{x}}
systemd-run {{x}}
systemd-run --user --scope {{x}}
systemd-run --unit=a {{x}}
systemd-run -p A=1 {{x}}
bwrap {{x}}
bwrap --ro-bind / / {{x}}
bwrap --ro-bind / / -- {{x}}
taskset 1 {{x}}
taskset -c 0 {{x}}
chrt 1 {{x}}
numactl --cpunodebind=0 {{x}}
firejail {{x}}
nice {{x}}
nice -n 5 {{x}}
ionice -c 3 {{x}}
chroot /srv {{x}}
flock lock {{x}}
flock lock -c {{x}}
timeout 5 {{x}}
stdbuf -oL {{x}}
setsid {{x}}
nohup {{x}}
script -c {{x}}
script -qc {{x}} /dev/null
su -c {{x}}
su root -c {{x}}
sg group -c {{x}}
runuser -u a {{x}}
sudo {{x}}
doas {{x}}
pkexec {{x}}
watch {{x}}
watch -n 1 {{x}}
parallel {{x}}
ls | parallel {{x}}
ls | entr {{x}}
hyperfine {{x}}
watchexec {{x}}
nodemon --exec {{x}}
nsenter -t 1 -m {{x}}
unshare -r {{x}}
ssh host {{x}}
ssh -o ProxyCommand={{x}} host
ssh -o {{x}} host
mosh host -- {{x}}
rsync -e {{x}} a b
rsync --rsh={{x}} a b
rsync --rsync-path={{x}} a b
scp -S {{x}} a b
tar --checkpoint-action={{x}} -cf a b
tar --checkpoint=1 --checkpoint-action=exec={{x}} -cf a b
tar -I {{x}} -xf a
tar --use-compress-program={{x}} -xf a
sort --compress-program {{x}} a
split --filter={{x}} a
npx {{x}}
npx -c {{x}}
npx -p a {{x}}
npm exec {{x}}
npm exec -- {{x}}
npm exec -c {{x}}
npm x {{x}}
pnpm dlx {{x}}
yarn dlx {{x}}
bunx {{x}}
uvx {{x}}
uv run {{x}}
uv tool run {{x}}
poetry run {{x}}
pipenv run {{x}}
pipx run {{x}}
bundle exec {{x}}
conda run -n a {{x}}
vim -c {{x}} a
vim {{x}}
nvim --cmd {{x}}
emacs --eval {{x}}
gdb -ex {{x}} a
lldb -o {{x}} a
perf record {{x}}
perf stat -- {{x}}
strace {{x}}
strace -f {{x}}
ltrace {{x}}
valgrind {{x}}
valgrind --tool=memcheck {{x}}
env -S {{x}}
env A=1 {{x}}
busybox {{x}}
busybox sh -c {{x}}
find . -execdir {{x}} ;
find . -ok {{x}} ;
fd a -x {{x}}
fd a --exec {{x}}
xargs {{x}}
ls | xargs -n 1 {{x}}
awk -f {{x}} a
awk {{x}} a
sed -e {{x}} a
perl -e {{x}}
ruby -e {{x}}
php -r {{x}}
elvish -c {{x}}
nu -c {{x}}
julia -e {{x}}
xvfb-run {{x}}
dbus-run-session -- {{x}}
cgexec -g cpu:a {{x}}
start-stop-daemon --start --exec {{x}}
fakeroot {{x}}
proxychains4 {{x}}
torsocks {{x}}
rlwrap {{x}}
unbuffer {{x}}
gosu user {{x}}
tini -- {{x}}
dumb-init {{x}}
nix-shell --run {{x}}
nix develop -c {{x}}
nix shell a --command {{x}}
guix shell -- {{x}}
flatpak run --command={{x}} app
snap run {{x}}
toolbox run {{x}}
distrobox enter box -- {{x}}
machinectl shell box {{x}}
direnv exec . {{x}}
mise exec -- {{x}}
asdf exec {{x}}
op run -- {{x}}
doppler run -- {{x}}
doppler run --command {{x}}
aws-vault exec a -- {{x}}
chamber exec a -- {{x}}
heroku run {{x}}
fly ssh console -C a --command {{x}}
vagrant ssh -c {{x}}
ansible all -m shell -a {{x}} --command {{x}}
pm2 start {{x}}
forever start {{x}}
concurrently --exec {{x}}
borg with-lock repo run {{x}}
unknown-tool exec {{x}}
unknown-tool --eval {{x}}
unknown-tool --exec={{x}}
unknown-tool -c {{x}}
unknown-tool -e {{x}}
unknown-tool foreach {{x}}
my-run {{x}}
run-in-box {{x}}
`;

/** Values are data. */
const accepted = `
docker build {{x}}
docker build -t {{x}} .
docker build -f {{x}} .
docker ps --filter name={{x}}
docker logs {{x}}
docker start {{x}}
docker stop {{x}}
docker inspect {{x}}
docker pull {{x}}
docker run --rm image tool {{x}}
docker run --rm -v {{x}}:/data alpine ls /data
docker run -e {{x}} alpine env
docker exec {{x}} ls /
docker exec box ls {{x}}
docker compose logs {{x}}
kubectl get pods -n {{x}}
kubectl get {{x}} -o json
kubectl describe pod {{x}}
kubectl logs -n a {{x}}
kubectl logs pod -c {{x}}
kubectl apply -f {{x}}
kubectl exec {{x}} -- ls /
kubectl exec pod -- cat {{x}}
git show {{x}}
git log -n {{n}} -- {{x}}
git log --grep {{x}}
git commit -m {{x}}
git checkout {{x}}
git clone {{x}}
git grep -e {{x}}
git diff {{x}} main
git blame -- {{x}}
git config user.name {{x}}
git submodule update --init {{x}}
git bisect start {{x}}
git tag -a v1 -m {{x}}
./my-script {{x}}
./my-script run {{x}}
./my-script -c {{x}}
scripts/deploy.sh start {{x}}
bin/tool exec {{x}}
npm view {{x}}
npm install {{x}}
npm run build -- {{x}}
npx prettier {{x}}
pnpm why {{x}}
uv run script.py {{x}}
poetry run pytest {{x}}
gh issue view {{x}}
gh issue create --title {{x}} --body {{x}}
gh run view {{x}}
gh workflow run deploy.yml
gh pr list --search {{x}}
curl {{x}}
curl -X POST -d {{x}} https://example.com
curl -e {{x}} https://example.com
curl -x {{x}} https://example.com
wget -c {{x}}
ffmpeg -i {{x}} -c copy out.mp4
ffmpeg -i in.mp4 -vf {{x}} out.mp4
magick {{x}} out.png
pandoc {{x}} -o out.html
tar -czf out.tgz {{x}}
tar -x -f {{x}}
zip -r out.zip {{x}} -x {{x}}
ping -c {{n}} {{x}}
grep -e {{x}} notes.txt
wc -c {{x}}
systemctl status {{x}}
systemctl start {{x}}
journalctl -u {{x}}
terraform plan -var name={{x}}
aws s3 cp {{x}} s3://bucket/
aws s3 ls {{x}}
gcloud compute instances list --filter {{x}}
az vm show --name {{x}}
brew info {{x}}
cargo add {{x}}
cargo test {{x}}
pip install {{x}}
pip show {{x}}
apt-cache show {{x}}
dig {{x}}
whois {{x}}
op read {{x}}
tmux kill-session -t {{x}}
go test -run {{x}} ./...
hugo new {{x}}
crontab -l | grep {{x}}
git push -u origin {{x}}
git clone -- {{x}}
wget -q {{x}}
gcc -o {{x}} a.c
pandoc -o {{x}} a.md
tar -czf {{x}} a
sort --field-separator=, {{x}}
tmux new-session -d -s work ls {{x}}
taskset 1 ls {{x}}
nice -n 5 grep {{x}} notes.txt
timeout 5 curl {{x}}
systemd-run --user --wait ls {{x}}
weather {{x}}
weather --city {{x}}
todo add {{x}}
jira issue create --summary {{x}}
yt-dlp {{x}}
sqlite3 -json app.db .tables
helm install app {{x}}
redis-cli get {{x}}
mysqldump {{x}}
flake8 {{x}}
pytest -k {{x}}
convert {{x}} -resize 50% out.png
`;
const listed = (text: string): readonly string[] => text.trim().split('\n');

test.each(listed(refused))('a value that another program would run is refused: %s', async (template) => {
  const refusal = await refusalOf(template);
  expect(refusal).toBeInstanceOf(TemplateRefusal);
  expect((refusal as TemplateRefusal).message).toMatch(/\{\{x\}\}.*unsafe: true/s);
});

test.each(listed(accepted))('a value that is data is accepted: %s', async (template) => {
  expect(await refusalOf(template)).toBeUndefined();
});
