/**
 * What Pegboard's own tools are called and do, in the columns of verbs.ts, after their names. A request names a tool if it
 * has all words of a phrase, in any order; commas stand between phrases. Each word is the beginning of one.
 */
export const toolNames = `
read WsRead | datei lies, datei lese | lis fichier, lire fichier | lee archivo, leer archivo | ler arquivo, leia arquivo | прочит файл | 读取文件, 读文件 | ファイル 読 | फ़ाइल पढ़ | ফাইল পড় | اقرأ ملف | baca berkas, baca file
write WsWrite | datei schreib | écri fichier | escrib archivo | escrev arquivo | запиш файл, напиш файл | 写文件, 写入文件 | ファイル 書 | फ़ाइल लिख | ফাইল লিখ | اكتب ملف | tulis berkas, tulis file
edit WsEdit | datei bearbeit, datei änder | modifi fichier | edit archivo, modific archivo | edit arquivo | редактир файл, измен файл | 编辑文件, 修改文件 | ファイル 編集 | फ़ाइल संपादित, फ़ाइल बदल | ফাইল সম্পাদনা | عدل ملف | edit berkas, ubah berkas
glob WsGlob | dateien find, dateien such | cherch fichiers, trouv fichiers | busc archivos, encuentr archivos | procur arquivos, encontr arquivos | найд файл | 查找文件, 搜索文件 | ファイル 検索, ファイル 探 | फ़ाइल खोज | ফাইল খোঁজ | ابحث ملف | cari berkas, cari file
grep WsGrep | dateien wort such, text dateien such | cherch mot fichiers, cherch texte fichiers | busc palabr archivos, busc texto archivos | procur palavr arquivos, procur texto arquivos | найд текст файл, ищ слов файл | 文件中搜索, 在文件里查找 | ファイル 文字 検索 | फ़ाइल शब्द खोज | ফাইল শব্দ খোঁজ | ابحث كلمة ملف | cari kata berkas, cari teks file
listdir | ordner inhalt, ordner zeig | contenu dossier, list dossier | contenid carpet, list carpet | conteúdo past, list past | содержим папк, покаж папк | 文件夹内容, 列出文件夹 | フォルダ 一覧, フォルダ 中身 | फ़ोल्डर दिखा | ফোল্ডার দেখা | محتوى مجلد, اعرض مجلد | isi folder, daftar folder
bash | befehl ausführ, terminal | exécut commande | ejecut comando | execut comando | выполн команд | 运行命令, 执行命令 | コマンド 実行 | कमांड चला | কমান্ড চালা | نفذ أمر | jalankan perintah
WsDelete | datei lösch, ordner lösch | supprim fichier, supprim dossier | borr archivo, elimin archivo, elimin carpet | apag arquivo, exclu arquivo | удал файл, удал папк | 删除文件, 删除文件夹 | ファイル 削除 | फ़ाइल हटा | ফাইল মুছ | احذف ملف | hapus berkas, hapus file
read_artifact | ergebnis weiterles | suite résultat | rest resultado | rest resultado | остаток результат | 读取结果 | 結果 続き | परिणाम आगे | ফলাফল বাকি | بقية نتيجة | sisa hasil
memory_store remember | merk dir, merke | souvien toi, retien | recuerda que, memoriz | lembr que, memoriz | запомн | 记住 | 覚えて | याद रख | মনে রাখ | تذكر أن | ingat bahwa
memory_recall recall | was weißt, erinnerst dich | que sais, te souvien | qué sabes, recuerdas | que sabe, lembra de | что знаеш, помниш | 记得什么, 你知道 | 覚えている | याद है | মনে আছে | ماذا تعرف | apa tahu
memory_forget forget | vergiss | oublie | olvida | esqueça | забуд | 忘记, 忘掉 | 忘れて | भूल जा | ভুলে যা | انس | lupakan
memory_graph | wie zusammenhäng | lien entre | relación entre | relação entre | как связан | 关系 | 関係 | संबंध | সম্পর্ক | علاقة بين | hubungan antara
schedule_create schedule | plane jeden, jeden montag, aufgab plan | planifi tâche, chaque lundi | program tarea, cada lunes, cada día | agend tarefa, todo dia, toda segunda | запланир, кажд день, кажд понедельник | 每天, 每周, 定时任务 | 毎日, 毎週, スケジュール | हर दिन, शेड्यूल | প্রতিদিন, শিডিউল | كل يوم, جدول مهمة | setiap hari, jadwalkan
remind | erinner mich | rappelle moi | recuérdame, recuerdame | me lembre, lembre me | напомни | 提醒我 | リマイン, 思い出させて | याद दिला | মনে করিয়ে | ذكرني | ingatkan
schedule_list | erinnerungen zeig, zeitplan zeig, geplant zeig | rappels montr, quels rappels | recordatorios muestr, tareas programadas | lembretes mostr, tarefas agendadas | какие напоминан, список напоминан, расписан | 提醒列表, 所有提醒 | リマインダー 一覧, 予定 一覧 | रिमाइंडर दिखा | রিমাইন্ডার দেখা | التذكيرات | daftar pengingat
schedule_cancel cancel_schedule | erinnerung lösch, erinnerung abbrech | rappel supprim, rappel annul | recordatorio cancel, recordatorio elimin | lembrete cancel, lembrete apag | отмен напоминан, удал напоминан | 取消提醒, 删除提醒 | リマインダー 削除, リマインダー 取り消 | रिमाइंडर रद्द | রিমাইন্ডার বাতিল | ألغ تذكير | batalkan pengingat
secret_store | geheimnis speicher, schlüssel speicher, passwort speicher | secret enregistr, clé enregistr | secreto guard, clave guard | segredo guard, chave guard | сохран секрет, сохран ключ | 保存密钥, 保存密码 | 秘密 保存, キー 保存 | गुप्त सहेज | গোপন সংরক্ষণ | احفظ سر, احفظ مفتاح | simpan rahasia, simpan kunci
secret_list | geheimnis zeig | secrets list, secrets montr | secretos muestr | segredos mostr | список секрет | 列出密钥 | 秘密 一覧 | गुप्त सूची | গোপন তালিকা | قائمة أسرار | daftar rahasia
secret_delete | geheimnis lösch | secret supprim | secreto elimin, secreto borr | segredo apag | удал секрет | 删除密钥 | 秘密 削除 | गुप्त हटा | গোপন মুছ | احذف سر | hapus rahasia
identity_read | wer bist | qui es tu | quién eres | quem é você | кто ты | 你是谁 | あなた 誰 | तुम कौन | তুমি কে | من أنت | siapa kamu
identity_update | charakter änder, persönlichkeit änder | personnalité chang | personalidad cambi | personalidade mud | измен характер | 修改性格, 改变身份 | 性格 変え | व्यक्तित्व बदल | ব্যক্তিত্ব বদল | غير شخصية | ubah kepribadian
usage_stats | kosten modell, verbrauch | coût modèle, consommation | costo modelo, gasto modelo | custo modelo | расход модел, стоимост модел | 使用量, 模型费用 | 使用量, 利用料 | उपयोग खर्च | ব্যবহার খরচ | تكلفة نماذج | biaya model
watch_start | beobacht, überwach | surveille | vigil, monitorea | monitore, vigie | следи за | 监视, 监控 | 監視して, 見張って | निगरानी कर | নজর রাখ | راقب | pantau, awasi
watch_stop | beobachtung beend, überwachung stopp | arrêt surveillance | detén vigilancia, para vigilancia | pare monitor | прекрат наблюд, останов наблюд | 停止监视, 停止监控 | 監視 止め, 監視 停止 | निगरानी बंद | নজরদারি বন্ধ | أوقف مراقبة | hentikan pantau
watch_pause | überwachung pausier | surveillance pause | vigilancia paus | monitor paus | приостанов наблюд | 暂停监控 | 監視 一時停止 | निगरानी विराम | নজরদারি বিরতি | مراقبة مؤقت | jeda pantau
watch_resume | überwachung fortsetz | repren surveillance | reanud vigilancia | retom monitor | продолж наблюд | 恢复监控 | 監視 再開 | निगरानी जारी | নজরদারি আবার | استأنف مراقبة | lanjutkan pantau
watch_list watch_status watch_history | überwachung zeig, beobachter liste | surveillances list, surveillances montr | vigilancia list, vigilancia muestr | monitor list | список наблюд | 监控列表, 监视列表 | 監視 一覧 | निगरानी सूची | নজরদারি তালিকা | قائمة مراقبة | daftar pantauan
channel_send | nachricht schick, nachricht send | envoi message | envi mensaj, mand mensaj | envi mensag, mand mensag | отправ сообщен, пошл сообщен | 发送消息, 发消息 | メッセージ 送 | संदेश भेज, मैसेज भेज | মেসেজ পাঠা, বার্তা পাঠা | أرسل رسالة | kirim pesan
web_read | webseite lies, seite lies, webseite les | lis page, lire page web | lee página, leer página web | ler página, leia página | прочит страниц, прочит сайт | 读取网页, 打开网页 | ウェブ 読, ページ 読 | वेब पढ़ | ওয়েব পড় | اقرأ صفحة | baca halaman, baca situs
web_search | im internet, websuche | recherch web, cherch internet | busc web, busc internet | pesquis web, procur internet | найд интернет, поиск интернет | 上网搜索, 网上搜索 | ネット 検索, ウェブ 検索 | इंटरनेट खोज | ইন্টারনেট খোঁজ | ابحث إنترنت | cari internet, cari web
self_view_logs | protokoll zeig, logs zeig | journaux montr, logs montr | registros muestr, logs muestr | logs mostr, registros mostr | покаж лог, покаж журнал | 查看日志, 显示日志 | ログ 見, ログ 表示 | लॉग दिखा | লগ দেখা | اعرض سجل | lihat log, tampilkan log
self_system_status | systemstatus, zustand system | état système | estado sistema | estado sistema | состоян систем | 系统状态 | システム 状態 | सिस्टम स्थिति | সিস্টেম অবস্থা | حالة نظام | status sistem
self_deploy | bereitstell, neue version einspiel | déploi | despleg, desplieg | implant | разверн | 部署 | デプロイ | तैनात | ডিপ্লয় | انشر إصدار | deploy
self_read_source | quelltext les, quellcode les | lire code source | leer código fuente | ler código fonte | прочит исходн код | 读取源代码 | ソース 読 | सोर्स पढ़ | সোর্স পড় | اقرأ مصدر | baca kode sumber
self_edit_source | quelltext änder, quellcode änder | modifi code source | modific código fuente | alter código fonte | измен исходн код | 修改源代码 | ソース 編集 | सोर्स बदल | সোর্স বদল | عدل مصدر | ubah kode sumber
self_run_tests | tests ausführ, teste ausführ | exécut tests, lanc tests | ejecut pruebas | execut testes | запуст тест | 运行测试 | テスト 実行 | टेस्ट चला | টেস্ট চালা | شغل اختبار | jalankan tes
extension_reload | erweiterung neu, plugins neu | recharg extension | recarg extension, recarg plugins | recarreg extens | перезагруз плагин | 重新加载插件 | プラグイン 再読み込み | प्लगइन पुनः | প্লাগইন পুনরায় | أعد تحميل إضافة | muat ulang ekstensi
telegram_react | reagier nachricht | réagi message | reaccion mensaj | reag mensag | реакц сообщен | 回应消息 | リアクション | प्रतिक्रिया | প্রতিক্রিয়া | تفاعل رسالة | reaksi pesan
telegram_pin | nachricht anheft | épingl message | fij mensaj | fix mensag | закреп сообщен | 置顶消息 | ピン留め | पिन संदेश | পিন বার্তা | ثبت رسالة | sematkan pesan
telegram_ask ask_user | frag mich, benutzer frag | demand utilisateur | pregunt usuario | pergunt usuári | спрос пользовател | 询问用户 | ユーザー 質問 | उपयोगकर्ता पूछ | ব্যবহারকারী জিজ্ঞ | اسأل مستخدم | tanya pengguna
search_tools | werkzeug such, werkzeug find | cherch outil, trouv outil | busc herramienta | procur ferramenta | найд инструмент | 搜索工具, 查找工具 | ツール 検索 | टूल खोज | টুল খোঁজ | ابحث أداة | cari alat
get_tool | werkzeug beschreib | décri outil | describ herramienta | descrev ferramenta | опиш инструмент | 工具说明 | ツール 説明 | टूल वर्णन | টুল বর্ণনা | صف أداة | jelaskan alat
execute_tool | werkzeug ausführ | exécut outil | ejecut herramienta | execut ferramenta | запуст инструмент | 运行工具 | ツール 実行 | टूल चला | টুল চালা | شغل أداة | jalankan alat
list_categories browse_category | kategorie zeig, kategorie liste | catégories list | categorías list | categorias list | список категор | 列出类别 | カテゴリ 一覧 | श्रेणी सूची | বিভাগ তালিকা | قائمة فئات | daftar kategori
run_parallel | gleichzeitig ausführ | exécut parallèle | ejecut paralelo | execut paralelo | выполн параллельн | 并行运行 | 並列 実行 | समानांतर चला | সমান্তরাল চালা | نفذ متواز | jalankan paralel
background_run | hintergrund ausführ | exécut arrière plan | ejecut segundo plano | execut segundo plano | выполн фонов | 后台运行 | バックグラウンド 実行 | बैकग्राउंड चला | ব্যাকগ্রাউন্ড চালা | نفذ خلفية | jalankan latar belakang
use_skill | fähigkeit nutz | utilis compétence | us habilidad | us habilidade | использ навык | 使用技能 | スキル 使 | कौशल उपयोग | দক্ষতা ব্যবহার | استخدم مهارة | gunakan keterampilan
agent call_app | agent beauftrag | délègu agent | deleg agente | deleg agente | поруч агент | 委托代理 | エージェント 任せ | एजेंट सौंप | এজেন্ট দাও | فوض وكيل | delegasi agen
`;
